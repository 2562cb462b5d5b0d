// A question that numbers decide, at every width: what was expected against what was found, the measurements, the reasons, the record.
// Numbers are those that the command line prints.
import assert from 'node:assert/strict'
import { overflow, phone, problems, visitor } from '../browser.mjs'
import { measuredThread } from '../measured.mjs'

const path = `/t/${measuredThread}`
const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, phone]

export async function checks(check, world) {
  const { browser, measuredURL: url, measured } = world

  for (const size of sizes) {
    await check(`measured: the page at ${size.width} px is accessible, fits, and has no small print`, async () => {
      const me = await visitor(browser, url, { viewport: size })
      for (const address of [path, `${path}?matrix=words&cell=T3.H3`, `${path}/map`]) {
        await me.go(address)
        for (const colorScheme of ['light', 'dark']) {
          await me.page.emulateMedia({ colorScheme })
          assert.deepEqual(await problems(me.page, { colours: colorScheme === 'dark' }), [], `${address} ${colorScheme}`)
        }
        assert.deepEqual(await overflow(me.page), [], address)
        assert.deepEqual(await small(me.page), [], address)
      }
      await me.innocent()
    })
  }

  await check('measured: at most twelve tests open with explanations in rows, and can be turned', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(path)
    const rows = me.page.locator('#matrix table.turned tbody tr')
    assert.equal(await rows.count(), 6)
    assert.equal(await me.page.locator('#matrix .turned thead th.tc').count(), 11)
    await me.page.locator('#matrix .more', { hasText: 'tests in rows' }).click()
    await me.page.locator('#matrix table:not(.turned)').waitFor()
    assert.equal(await me.page.locator('#matrix table tbody tr').count(), 11)
    await me.innocent()
  })

  await check('measured: cells say spread, mark and distance as predictions and beliefs do', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(path)
    const { predictions } = JSON.parse(await measured.run('predictions', measuredThread, '--json'))
    assert.ok(predictions.length > 50)
    for (const p of predictions.filter((p) => ['T1', 'T3', 'T7'].includes(p.test))) {
      const cell = me.page.locator(`[data-cell="${p.test}.${p.hypothesis}"]`)
      assert.equal((await cell.locator('.num').innerText()).replace('−', '-'), p.registered ?? p.expected, `${p.test} ${p.hypothesis}`)
    }
    const state = async (key) => (await me.page.locator(`td:has([data-cell="${key}"])`).getAttribute('class')).split(' ')[0]
    assert.deepEqual(await Promise.all(['T3.H2', 'T3.H3', 'T1.H1', 'T8.H2', 'T9.H2', 'T10.H2'].map(state)), ['vok', 'vno', 'vno', 'vpf', 'vun', 'vop'])
    assert.match(await me.page.locator('[data-cell="T1.H1"] small').innerText(), /2\.7 σ/)
  })

  await check('measured: a cell opens its panel, j and k go on, Esc closes it; without script it is a link', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(path)
    await me.page.locator('html[data-js]').waitFor()
    await me.page.locator('[data-cell="T3.H3"]').click()
    const panel = me.page.locator('#cell')
    await panel.getByText('Water masers, no ladder').waitFor()
    for (const words of [/67\.5 ± 1 km\/s\/Mpc/, /73\.9 ± 3 km\/s\/Mpc/, /2\.0 σ, more than 2: not as expected/, /times likelier under/, /71 ± 3\. Shown, not used/, /Same hand/]) {
      assert.match(await panel.innerText(), words)
    }
    await me.page.keyboard.press('j')
    await panel.getByText('The microwave background without Planck').waitFor()
    assert.equal(await me.page.locator('[data-cell="T4.H3"]').getAttribute('aria-current'), 'true')
    await me.page.keyboard.press('Escape')
    await panel.locator('.panel-cell').waitFor({ state: 'detached' })
    const weight = await likelier(measured)
    const plain = await visitor(browser, url, { javaScriptEnabled: false })
    await plain.go(path)
    await plain.page.locator('[data-cell="T3.H3"]').click()
    assert.match(await plain.page.locator('#cell').innerText(), new RegExp(`${weight.replace('.', '\\.')} times likelier under\\s+H2`))
    await me.innocent()
  })

  await check('measured: the report has ten numbered sections, likelihoods, suppositions and what is proved', async () => {
    const me = await visitor(browser, url, { viewport: { width: 820, height: 1100 } })
    const answer = await me.page.request.get(`${url}${path}/v/4/download/html`)
    await me.page.setContent(await answer.text())
    const heads = await me.page.locator('h2 .no').allInnerTexts()
    assert.deepEqual(heads, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'A', 'B'])
    const reasons = JSON.parse(await measured.run('reasons', measuredThread, '--json'))
    const row = reasons.results.find((one) => one.test === 'T3')
    const said = await me.page.locator('table.lik tr', { hasText: `#${row.message_id}` }).innerText()
    assert.ok(said.includes(row.likelihoods.H2.toPrecision(3).replace(/0+$/, '')), `${said} has ${row.likelihoods.H2}`)
    for (const words of ['Claimed only', 'Proved by the record', 'Bibliography', 'and what is only claimed', 'nobody given up']) assert.ok(await me.page.getByText(words).count(), words)
    assert.equal(await me.page.locator('.ifr').count() > 5, true)
    assert.deepEqual(await problems(me.page), [])
    assert.deepEqual(await overflow(me.page), [])
  })

  await check('measured: reasons on the page are those of the command line', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(path)
    const reasons = JSON.parse(await measured.run('reasons', measuredThread, '--json'))
    for (const row of reasons.results.filter((row) => row.likelihoods)) {
      const said = await me.page.locator('#why tbody tr', { hasText: `#${row.message_id}` }).filter({ hasText: row.test }).locator('td.w > span').allInnerTexts()
      const bits = row.weight.H2
      assert.equal(said[0], Math.abs(bits) < 0.005 ? '0' : `${bits < 0 ? '−' : '+'}${Math.abs(bits).toFixed(2)}`, `${row.test} #${row.message_id}`)
    }
  })
}

async function likelier(measured) {
  const reasons = JSON.parse(await measured.run('reasons', measuredThread, '--json'))
  const { likelihoods } = reasons.results.find((row) => row.test === 'T3')
  return (likelihoods.H2 / likelihoods.H3).toFixed(1)
}

// small is what is written smaller than 11.5 px as it stands on the screen, figures too.
function small(page) {
  return page.evaluate(() => {
    const out = new Set()
    for (const text of document.querySelectorAll('main svg text')) {
      const scale = text.getScreenCTM()?.a ?? 1, size = parseFloat(getComputedStyle(text).fontSize) * scale
      if (text.matches('.at, .pt, .vt')) continue // initials and marks; their links say them
      if (text.getBoundingClientRect().width > 0 && size < 11.45) out.add(`${text.textContent}: ${size.toFixed(1)} px in ${text.closest('section')?.id}`)
    }
    const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const element = walk.currentNode.parentElement
      if (!walk.currentNode.textContent.trim() || element.closest('svg, .sr, .av, [hidden], script') || !element.checkVisibility()) continue
      const size = parseFloat(getComputedStyle(element).fontSize)
      if (size < 11.45) out.add(`${walk.currentNode.textContent.trim().slice(0, 40)}: ${size} px in ${element.closest('section')?.id}`)
    }
    return [...out].slice(0, 8)
  })
}
