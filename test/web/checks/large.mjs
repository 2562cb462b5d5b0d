// The pages of a large session: everything on one screen that belongs together, every state told in words.
import assert from 'node:assert/strict'
import { overflow, phone, problems, visitor } from '../browser.mjs'
import { begunThread, largeThread } from '../large.mjs'

const sizes = [{ width: 1440, height: 1000 }, { width: 1024, height: 768 }, phone]
const page = `/t/${largeThread}`

export async function checks(check, world) {
  const { browser, largeURL: url } = world

  for (const [name, path, within] of [['session', page], ['conflict on the artifact', `${page}/v/13`, '#H3'], ['map', `${page}/map`], ['diff', `${page}/diff?from=12&to=13`], ['session just begun', `/t/${begunThread}`]]) { // a third: the part that is new
    await check(`large: axe has nothing against the ${name}, at every width, light and dark`, async () => {
      const me = await visitor(browser, url)
      for (const size of sizes) {
        await me.page.setViewportSize(size)
        const answer = await me.go(path)
        const sent = Number(answer.headers()['content-length'])
        assert.ok(sent > 1000 && sent < 100_000, `${sent} bytes are sent`)
        for (const colorScheme of ['light', 'dark']) {
          await me.page.emulateMedia({ colorScheme })
          assert.deepEqual(await problems(me.page, { colours: colorScheme === 'dark', within }), [], `${size.width}, ${colorScheme}`)
        }
        assert.deepEqual(await overflow(me.page), [], String(size.width))
      }
      await me.innocent()
    })
  }

  await check('large: the matrix fits one screen and scrolls nowhere inside', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(page)
    const tables = me.page.locator('.mx')
    assert.equal(await tables.count(), 2)
    for (const table of await tables.all()) {
      const box = await table.boundingBox()
      assert.ok(box.height < 1000, `${box.height} px high`)
      assert.ok(await table.evaluate((mx) => mx.scrollHeight <= mx.clientHeight + 1 && mx.scrollWidth <= mx.clientWidth + 1), 'it scrolls')
    }
    assert.equal(await me.page.locator('#matrix tbody tr').count(), 70)
    assert.equal(await me.page.locator('#row-P40 td').count(), 7)
    for (const row of await me.page.locator('#slate tbody tr').all()) assert.ok((await row.boundingBox()).height <= 100, 'a hypothesis takes a line')
    const cell = me.page.locator('#row-T3 td').nth(3)
    await cell.hover()
    assert.match(await cell.getAttribute('title'), /H2: .*fate is kept; prediction written after the result/)
    await me.innocent()
  })

  await check('large: a pair filters the rows, and every pair says what it does', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0], javaScriptEnabled: false })
    await me.go(page)
    const pair = me.page.locator('.mx-pairs a').filter({ hasText: 'H1·H2' })
    const rows = Number((await pair.innerText()).match(/(\d+) rows/)[1])
    await pair.click()
    await me.page.waitForURL(/pair=H1-H2/)
    assert.equal(await me.page.locator('#matrix tbody tr').count(), 70, 'no row vanishes')
    assert.equal(await me.page.locator('#matrix tbody tr:not(.dimmed)').count(), rows)
    await me.go(`${page}/v/13`)
    const chips = await me.page.locator('.pairs a').evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]))
    assert.ok(chips.length > 5)
    for (const [text, href] of chips) assert.ok(/prediction|nothing tells/.test(text) && href.includes('?pair='), text)
  })

  await check('large: states are told: contested, provisional, exploratory, post-hoc, conflict', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(page)
    const slate = await me.page.locator('#slate').innerText()
    for (const word of [/◆ contested/, /◐ provisional\s+only by openai, its own family/, /↻ outdated\s+changed since #76/, /1 open, Critical/, /Given up by version 11, by/]) assert.match(slate, word)
    assert.match(await me.page.locator('#found .reg').innerText(), /1 after the result; 5 exploratory/)
    assert.match(await me.page.locator('#row-T6').innerText(), /explored/)
    for (const path of [`${page}/v/13`, `${page}/diff?from=12&to=13`]) {
      await me.go(path)
      const clash = me.page.locator('.clash').first()
      const text = await clash.innerText()
      for (const part of [/RedSky[\s\S]*BlueLake|BlueLake[\s\S]*RedSky/, /through the membrane/, /through the nucleus/]) assert.match(text, part, path)
      assert.match(await clash.locator('.stands').innerText(), /✓ stands[\s\S]*through the nucleus/)
    }
    await me.innocent()
  })

  await check('large: references in the reason of a kill are links', async () => {
    const me = await visitor(browser, url)
    for (const [path, place] of [[page, '#slate .fate'], [`${page}/v/13?item=T30`, '#T30 .killed'], [`${page}/diff?from=8&to=9`, '#T30 .reason']]) {
      await me.go(path)
      assert.ok(await me.page.locator(`${place} a.ref[data-ref]`).count(), path)
    }
    assert.equal(await me.page.locator('#T30 .rank').count(), 0)
    await me.innocent()
  })

  await check('large: a critique that became an item is one critique, and the gravest stands first', async () => {
    const me = await visitor(browser, url)
    await me.go(page)
    const queue = me.page.locator('#critiques')
    const [, all, open] = (await queue.locator('.sec-head').innerText()).match(/(\d+) attacks?: (\d+) open/)
    const messages = JSON.parse(await world.large.run('thread', 'show', largeThread, '--json')).messages.filter((message) => message.subject.startsWith('CRITIQUE'))
    assert.equal(Number(all), messages.length, 'a promoted critique is counted twice')
    assert.equal(await queue.locator('.critique[data-open=open]').count(), Number(open))
    const severities = await queue.locator('.critique[data-open=open] > .meta > strong').allInnerTexts()
    assert.deepEqual(severities, [...severities].sort((a, b) => ['Critical', 'Major', 'Minor'].indexOf(a) - ['Critical', 'Major', 'Minor'].indexOf(b)))
    assert.equal(await queue.locator('.critique[data-open=answered]:visible').count(), 0, 'answered ones are folded')
    await me.innocent()
  })

  await check('large: Print has every test and prediction, and a killed test has no rank', async () => {
    const me = await visitor(browser, url)
    await me.go(`${page}/v/13`)
    assert.ok(await me.page.locator('#discriminative_tests .item').count() < 30, 'there is more than one page')
    await me.page.evaluate(() => { globalThis.print = () => {} })
    await me.page.locator('[data-print]').click()
    await me.page.waitForURL(/whole=1#print/)
    await me.page.emulateMedia({ media: 'print' })
    assert.equal(await me.page.locator('#discriminative_tests .item').count(), 30)
    assert.equal(await me.page.locator('.matrix tbody tr').count(), 40)
    assert.equal(await me.page.locator('#T30 .rank').count(), 0)
    assert.equal(await me.page.locator('#T29 .rank').count(), 1)
    assert.equal(await me.page.locator('.item').first().evaluate((item) => getComputedStyle(item).breakInside), 'auto', 'a long item leaves half a page empty')
    await me.innocent()
  })

  await check('large: a session that just began says how agents join', async () => {
    const me = await visitor(browser, url, { permissions: ['clipboard-read', 'clipboard-write'] })
    await me.go(`/t/${begunThread}`)
    await me.page.getByText('No explanation has been proposed yet.').waitFor()
    const commands = me.page.locator('#waits code[data-copy]')
    assert.deepEqual(await commands.allInnerTexts(), [`brenner cockpit start ${begunThread}`, `brenner run ${begunThread} --rounds 3`, 'brenner ask BlueLake', 'brenner connect claude'])
    await me.page.locator('#waits .copy').nth(1).click()
    await me.page.locator('#waits .copy').nth(1).filter({ hasText: 'Copied' }).waitFor()
    assert.equal(await me.page.evaluate(() => navigator.clipboard.readText()), `brenner run ${begunThread} --rounds 3`)
    await me.innocent()
  })

  await check('large: a phone folds what is not compared, and a link unfolds it', async () => {
    const me = await visitor(browser, url, { viewport: phone, isMobile: true, hasTouch: true })
    await me.go(page)
    await me.page.locator('.folded').first().waitFor()
    const height = () => me.page.evaluate(() => document.documentElement.scrollHeight)
    const folded = await height()
    assert.deepEqual(await overflow(me.page), [])
    for (const part of ['#slate', '#next', '#life svg']) assert.ok(await me.page.locator(part).last().isVisible(), part)
    assert.ok(!(await me.page.locator('#record .card').first().isVisible()))
    await me.page.locator('.jump a[href="#timeline"]').click()
    await me.page.locator('.timeline .entry').first().waitFor({ state: 'visible' })
    const fold = me.page.getByRole('button', { name: 'Show the record' })
    assert.equal(await fold.getAttribute('aria-expanded'), 'false')
    await fold.click()
    await me.page.locator('#latest').waitFor({ state: 'visible' })
    while (await me.page.locator('.folded .unfold').count()) await me.page.locator('.folded .unfold').first().click()
    assert.ok(folded < await height() / 2, 'what is folded is the lesser part')
    await me.go(`${page}?at=40#m40`)
    await me.page.locator('#m40').waitFor({ state: 'visible' })
    await me.innocent()
  })

  await check('large: the map leads from an argument to its item', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(`${page}/map`)
    const graph = me.page.locator('svg.graph')
    const size = await graph.locator('.name').first().evaluate((name) => name.getBoundingClientRect().height)
    assert.ok(size >= 12, `names are ${size} px high`)
    assert.ok(await graph.locator('[data-relation=attacks]').count() && await graph.locator('[data-relation=contradicts]').count())
    await me.page.getByRole('link', { name: 'show all tests' }).click()
    await me.page.waitForURL(/all=1/)
    assert.ok(await graph.locator('.is-test').count() > 20)
    await graph.locator('.is-hypothesis').first().click()
    await me.page.waitForURL(/#H\d$/)
    await me.innocent()
  })
}
