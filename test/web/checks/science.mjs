// The page of a session as people look at it: accessible at every width, references with their cards, commands to
// copy, and what one reads stays in place when news comes.
import assert from 'node:assert/strict'
import { overflow, phone, problems, until, visitor } from '../browser.mjs'
import { work } from '../project.mjs'

const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, phone]

export async function checks(check, world) {
  const { browser, url, project } = world
  const demo = `/t/${project.demo}`

  for (const [name, path] of [['at work', `/t/${work}`], ['complete', demo]]) {
    for (const size of sizes) {
      await check(`science: the session ${name} at ${size.width} px`, async () => {
        const me = await visitor(browser, url, { viewport: size })
        const answer = await me.go(path)
        assert.ok((await answer.body()).length < 300_000, 'the page is under 300 kB')
        for (const colorScheme of ['light', 'dark']) {
          await me.page.emulateMedia({ colorScheme })
          assert.deepEqual(await problems(me.page, { colours: colorScheme === 'dark' }), [], colorScheme)
        }
        assert.deepEqual(await overflow(me.page), [])
        await me.innocent()
      })
    }
  }

  await check('science: the fold at 1440 x 900 says what is known, and ends in what was found', async () => {
    const me = await visitor(browser, url, { viewport: sizes[0] })
    await me.go(demo)
    for (const part of ['#known', '#found']) {
      const box = await me.page.locator(part).boundingBox()
      assert.ok(box.y < 900, `${part} begins at ${box.y}`)
    }
    assert.ok((await me.page.locator('#slate tbody tr').count()) >= 4)
  })

  await check('science: a message says in words what it did', async () => {
    const me = await visitor(browser, url)
    await me.go(demo)
    const kill = me.page.locator('.did-kills').first()
    await kill.getByText('A leader sets the beat').waitFor()
    assert.ok(await me.page.locator('.did-edits ins').count(), 'an edit shows what is new')
    assert.equal(await me.page.locator('[data-kind=DELTA]').getByText('"operation"').count(), 0, 'JSON on the timeline')
    await me.page.locator('.timeline .verb', { hasText: /gives up H1$/ }).waitFor()
    assert.doesNotMatch(await me.page.locator('.timeline').innerText(), /\d\.\d{6}Z/, 'a time to the microsecond')
    const attack = me.page.locator('.timeline [data-kind=CRITIQUE]').first()
    assert.match(await attack.locator('.meta').innerText(), /attacks\s+(H\d|the whole question)\s+(Critical|Major|Minor), (open|answered)/)
    assert.equal(await attack.getByText('Severity', { exact: true }).count(), 0, 'an attack shows the headings of its form')
    assert.equal(await me.page.locator('[data-state=dead]').count(), 0, 'nobody is dead on a complete session')
  })

  await check('science: a reference has a card for pointer and keyboard, and Esc closes it', async () => {
    const me = await visitor(browser, url)
    await me.go(demo)
    await me.page.locator('html[data-js]').waitFor()
    const link = me.page.locator('.timeline a[data-ref=A3]').first()
    await link.hover()
    const card = me.page.locator('#ref-card')
    await card.getByText('A3').waitFor()
    const box = await card.boundingBox()
    assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 900, 'the card is on the screen')
    await card.hover()
    await new Promise((later) => setTimeout(later, 400))
    assert.ok(await card.isVisible(), 'it can be entered')
    await me.page.keyboard.press('Escape')
    await card.waitFor({ state: 'hidden' })
    await me.page.mouse.move(0, 0)
    await link.focus()
    await me.page.keyboard.press('Shift+Tab')
    await me.page.keyboard.press('Tab')
    await me.page.locator('.timeline a[data-ref=A3][aria-describedby=ref-card]').first().waitFor()
    await card.waitFor({ state: 'visible' })
    await new Promise((later) => setTimeout(later, 400))
    assert.ok(await card.isVisible(), 'a pointer that moved before does not close it')
    await me.innocent()
  })

  await check('science: a reference is a plain link without JavaScript', async () => {
    const me = await visitor(browser, url, { javaScriptEnabled: false })
    await me.go(demo)
    await me.page.locator('.timeline a[data-ref=A3]').first().click()
    await me.page.locator('article#A3').waitFor()
  })

  await check('science: Print has every item, on white paper', async () => {
    const me = await visitor(browser, url)
    await me.go(`${demo}/v/2?whole=1`)
    await me.page.emulateMedia({ media: 'print' })
    assert.equal(await me.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), 'rgb(255, 255, 255)')
    assert.equal(await me.page.locator('.print-note').count(), 0)
  })

  await check('science: a deep link to a prediction is seen below the head', async () => {
    const me = await visitor(browser, url)
    await me.go(`${demo}/v/2#P3`)
    const [row, head] = await Promise.all([me.page.locator('#P3').boundingBox(), me.page.locator('.bar').boundingBox()])
    assert.ok(row.y >= head.y + head.height, `the row begins at ${row.y}, the head ends at ${head.y + head.height}`)
  })

  await check('science: the roster shows the values of a preset whole', async () => {
    const me = await visitor(browser, url)
    await me.go('/start')
    await me.page.locator('#preset').selectOption({ index: 1 })
    const cut = await me.page.locator('.entries :is(input, select)').evaluateAll((all) => all.filter((field) => field.scrollWidth > field.clientWidth + 1).map((field) => field.name))
    assert.deepEqual(cut, [])
  })
}

// writes come after what only reads.
export async function changes(check, world) {
  const { browser, url, project } = world
  await check('science: what one reads stays in place when news comes', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}`)
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    const row = me.page.locator('.timeline .entry').nth(3)
    await row.scrollIntoViewIfNeeded()
    await me.page.evaluate(() => scrollBy(0, 200))
    const id = await me.page.evaluate(() => [...document.querySelectorAll('.timeline .entry')].find((entry) => entry.getBoundingClientRect().top > 80)?.id)
    const place = () => me.page.evaluate((name) => Math.round(document.getElementById(name).getBoundingClientRect().top), id)
    const before = await place()
    await project.send('RedSky', 'INFO: Above all that', '# News\n\nIt stands at the top of the timeline.\n')
    await until('the news is there', () => me.page.getByText('Above all that').count())
    assert.ok(Math.abs(await place() - before) <= 2, `moved from ${before} to ${await place()}`)
    await me.innocent()
  })
}
