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
    await check(`measured: the page at ${size.width} px is accessible and fits`, async () => {
      const me = await visitor(browser, url, { viewport: size })
      for (const address of [path, `${path}?matrix=words&cell=T3.H3`, `${path}/map`]) {
        await me.go(address)
        for (const colorScheme of ['light', 'dark']) {
          await me.page.emulateMedia({ colorScheme })
          assert.deepEqual(await problems(me.page, { colours: colorScheme === 'dark' }), [], `${address} ${colorScheme}`)
        }
        assert.deepEqual(await overflow(me.page), [], address)
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
