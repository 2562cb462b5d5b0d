// What was once found wrong in a browser, each so that it would be found again.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { overflow, phone, visitor } from '../browser.mjs'
import { hostileThread } from '../hostile.mjs'
import { serve } from '../process.mjs'
import { work } from '../project.mjs'

export async function checks(check, world) {
  const { browser, url, hostileURL, project } = world
  const paper = `/t/${project.demo}/v/2`

  await check('defect: downloads are whole files', async () => {
    const me = await visitor(browser, url)
    await me.go(paper)
    for (const [name, ending, begins] of [['Report', '.html', '<!doctype html'], ['Crate', '.zip', 'PK'], ['Markdown', '.md', '---'], ['JSON', '.json', '{']]) {
      const [download] = await Promise.all([me.page.waitForEvent('download'), me.page.getByRole('navigation', { name: 'Downloads' }).getByRole('link', { name, exact: true }).click()])
      assert.ok(download.suggestedFilename().endsWith(ending), download.suggestedFilename())
      const data = readFileSync(await download.path())
      assert.ok(data.length > 1000 && data.subarray(0, 20).toString().toLowerCase().startsWith(begins.toLowerCase()), `${name}: ${data.length} bytes, ${data.subarray(0, 20)}`)
    }
    await me.go(`/t/${project.demo}`)
    const [report] = await Promise.all([me.page.waitForEvent('download'), me.page.getByRole('navigation', { name: 'Actions' }).getByRole('link', { name: 'Report' }).click()])
    assert.match(report.suggestedFilename(), /\.html$/)
    assert.equal(await me.page.getByRole('navigation', { name: 'Actions' }).getByRole('link', { name: 'Print' }).getAttribute('href'), `${paper}?whole=1#print`)
    await me.innocent()
  })

  await check('defect: scores are words, more dots are better', async () => {
    const me = await visitor(browser, url)
    await me.go(paper)
    const score = me.page.locator('.score .parts').first()
    const text = await score.innerText()
    for (const word of ['separates', 'cheap', 'fast', 'clear-cut']) assert.match(text, new RegExp(`${word}[^\\n]*[●○]{3}`))
    assert.doesNotMatch(await me.page.locator('#discriminative_tests').innerText(), /\bcost\b/i)
    await me.innocent()
  })

  await check('defect: a test that was run fits a phone, in words', async () => {
    const me = await visitor(browser, url, { viewport: phone, isMobile: true, hasTouch: true })
    await me.go(`${paper}#T1`)
    const run = await me.page.locator('#T1 .found-list').innerText()
    assert.match(run, /Found No shift at any phase[\s\S]*as expected by\s+H3[\s\S]*not as expected by/)
    assert.doesNotMatch(run, /[{}"]/)
    assert.deepEqual(await overflow(me.page), [])
    await me.innocent()
  })

  await check('defect: the list of sources is whole on a phone', async () => {
    const me = await visitor(browser, url, { viewport: phone, isMobile: true, hasTouch: true })
    await me.go('/evidence')
    const cut = await me.page.locator('.sources :is(th, td)').evaluateAll((all) => all.filter((cell) => cell.getBoundingClientRect().right > document.documentElement.clientWidth).length)
    assert.equal(cut, 0)
    await me.innocent()
  })

  await check('defect: the inbox counts what is unread', async () => {
    const me = await visitor(browser, url)
    await me.go('/')
    const unread = JSON.parse(await project.run('mail', 'inbox', 'Operator', '--unread', '--limit', '0', '--json')).count
    assert.ok(unread > 0)
    assert.equal((await me.page.locator('.nav .count').innerText()).replace(/\s*unread/, '').trim(), unread > 9 ? '9+' : String(unread))
    await me.innocent()
  })

  await check('defect: the palette knows the pages of a session', async () => {
    const me = await visitor(browser, url)
    await me.go('/')
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    for (const [words, address] of [['argument map fireflies', `/t/${project.demo}/map`], ['evidence matrix fireflies', `/t/${project.demo}#matrix`], ['life-lines fireflies', `/t/${project.demo}#life`]]) {
      const { entries } = await fetch(`${url}/api/v1/palette?q=${encodeURIComponent(words)}`).then((answer) => answer.json())
      assert.equal(entries[0]?.url, address, words)
    }
    await me.page.keyboard.press('Control+k')
    await me.page.keyboard.type('argument map')
    await me.page.locator('#palette-list [role=option]').filter({ hasText: 'Argument map' }).first().waitFor()
    await me.innocent()
  })

  await check('defect: the card of a reference stays on the screen, and touch opens the panel', async () => {
    const me = await visitor(browser, url, { viewport: { width: 1000, height: 420 } })
    await me.go(`/t/${project.demo}`)
    await me.page.locator('html[data-js]').waitFor()
    const link = me.page.locator('.timeline a[data-ref]:visible').last()
    await link.evaluate((element) => element.scrollIntoView({ block: 'end' }))
    await link.hover()
    const card = me.page.locator('#ref-card')
    await card.waitFor({ state: 'visible' })
    const [box, at] = await Promise.all([card.boundingBox(), link.boundingBox()])
    assert.ok(box.y >= 0 && box.y + box.height <= 420 && box.x >= 0 && box.x + box.width <= 1000, `the card is at ${JSON.stringify(box)}`)
    assert.ok(box.y + box.height <= at.y || box.y >= at.y + at.height, 'the card hides its reference')
    await me.innocent()
    const hand = await visitor(browser, url, { viewport: phone, isMobile: true, hasTouch: true })
    await hand.go(paper)
    const reference = hand.page.locator('#H1 a.ref[data-ref]').first()
    await reference.tap()
    await hand.page.locator('.reading').waitFor()
    assert.equal(await hand.page.locator('#ref-card:popover-open').count(), 0, 'touch opens a card')
    await hand.innocent()
  })

  await check('defect: one colour and initials for each agent, on every page of a session', async () => {
    const me = await visitor(browser, url)
    const marks = async (path) => {
      await me.go(path)
      return me.page.locator('main .av').evaluateAll((all) => [...new Set(all.map((mark) => `${mark.textContent} ${getComputedStyle(mark).backgroundColor}`))].sort())
    }
    const session = await marks(`/t/${project.demo}`)
    assert.ok(session.length >= 4, session.join(', '))
    for (const path of [paper, `/t/${project.demo}/diff?from=1&to=2`, '/m/12']) {
      for (const mark of await marks(path)) assert.ok(session.includes(mark), `${path}: ${mark} is none of ${session.join(', ')}`)
    }
    await me.innocent()
  })

  await check('defect: nobody is waited for on a complete session', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${project.demo}`)
    assert.equal(await me.page.locator('main [data-state]').count(), 0)
    await me.innocent()
  })

  await check('defect: folds open to something without JavaScript', async () => {
    const me = await visitor(browser, url, { javaScriptEnabled: false })
    for (const path of [`/t/${work}`, `/t/${work}/v/latest`, `/t/${work}/diagnose`]) {
      await me.go(path)
      const folds = me.page.locator('main details:visible')
      for (const fold of await folds.all()) {
        if (await fold.getAttribute('open') === null && await fold.locator('summary').first().isVisible()) await fold.locator('summary').first().click()
        const opened = await fold.evaluate((all) => all.open && [...all.childNodes].some((part) => part.nodeName !== 'SUMMARY' && (part.nodeType === Node.TEXT_NODE ? part.data.trim() : part.getBoundingClientRect().height > 4)))
        assert.ok(opened, `${path}: ${await fold.locator('summary').first().innerText()} opens to nothing`)
      }
    }
  })

  await check('defect: characters that turn text are written out', async () => {
    const me = await visitor(browser, hostileURL)
    for (const path of [`/t/${hostileThread}`, `/t/${hostileThread}/v/1`]) {
      await me.go(path)
      const text = await me.page.locator('body').evaluate((body) => body.textContent)
      assert.ok(text.includes('[U+202E]'), path)
      assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069]/, path)
    }
  })

  await check('defect: a message stands under its session, and a wrong address says where to look', async () => {
    const me = await visitor(browser, url, { expected: [/status of 404/] })
    await me.go('/m/12')
    assert.equal(await me.page.locator('.nav [aria-current=page]').innerText(), 'Questions')
    const advice = new Set()
    for (const path of ['/t/RS-20200101-not-there', '/m/99999', '/inbox/Nobody', '/evidence/EV-999']) {
      await me.go(path)
      const said = (await me.page.locator('main').innerText()).replace(/EV-999|RS-\S+|99999|Nobody/g, '')
      assert.doesNotMatch(said, /Check the name\./, path)
      advice.add(said)
    }
    assert.equal(advice.size, 4, 'the same advice for different addresses')
    await me.innocent()
  })

  await check('defect: an empty project says how to begin, and how to see the demo', async () => {
    const dir = join(world.scratch, 'empty')
    mkdirSync(dir)
    const server = await serve(world.brenner, dir, world.env)
    try {
      const me = await visitor(browser, server.url)
      await me.go('/')
      const text = await me.page.locator('main').innerText()
      assert.match(text, /brenner session start/)
      assert.match(text, /brenner demo --dir \w+/)
      assert.doesNotMatch(text, /in an empty folder/)
      await me.innocent()
    } finally {
      await server.stop()
    }
  })
}
