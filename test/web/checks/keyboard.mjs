// The keyboard alone is enough.
import assert from 'node:assert/strict'
import { visitor } from '../browser.mjs'
import { work } from '../project.mjs'

async function ready(me, path) {
  await me.go(path)
  await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
}

export async function checks(check, world) {
  const { browser, url, project } = world

  await check('keyboard: / searches', async () => {
    const me = await visitor(browser, url)
    await ready(me, '/')
    await me.page.keyboard.press('/')
    await me.page.keyboard.type('transplant')
    await me.page.keyboard.press('Enter')
    await me.page.waitForURL(/\/search\?.*q=transplant/)
    await me.page.getByText('Two tests and what they stand on').first().waitFor()
    await me.innocent()
  })

  await check('keyboard: j and k go through a list, Enter opens', async () => {
    const me = await visitor(browser, url)
    await ready(me, '/')
    const focused = () => me.page.evaluate(() => document.activeElement.closest('[data-row]')?.innerText ?? '')
    await me.page.keyboard.press('j')
    const first = await focused()
    assert.ok(first, 'j goes nowhere')
    await me.page.keyboard.press('j')
    const second = await focused()
    assert.notEqual(first, second)
    await me.page.keyboard.press('k')
    assert.equal(await focused(), first)
    await me.page.keyboard.press('Enter')
    await me.page.waitForURL(/\/t\//)
    await me.innocent()
  })

  await check('keyboard: ? explains, Escape closes', async () => {
    const me = await visitor(browser, url)
    await ready(me, '/')
    await me.page.keyboard.press('?')
    await me.page.locator('dialog#help[open]').waitFor()
    assert.match(await me.page.locator('dialog#help').innerText(), /go to a question/)
    await me.page.keyboard.press('Escape')
    await me.page.locator('dialog#help[open]').waitFor({ state: 'detached' })
    await me.innocent()
  })

  await check('keyboard: keys in a field are text', async () => {
    const me = await visitor(browser, url)
    await ready(me, '/')
    await me.page.locator('#q').click()
    await me.page.keyboard.type('j/k?')
    assert.equal(await me.page.locator('#q').inputValue(), 'j/k?')
    assert.equal(await me.page.locator('dialog[open]').count(), 0)
    await me.innocent()
  })

  await check('palette: finds sessions, agents and items', async () => {
    const me = await visitor(browser, url)
    for (const [words, address] of [['fireflies unison', `/t/${project.demo}`], ['purplemountain', '/inbox/PurpleMountain'], ['transplant series', `/t/${work}/v/1#T1`]]) {
      await ready(me, '/')
      await me.page.keyboard.press('Control+k')
      await me.page.locator('dialog#palette[open]').waitFor()
      const answered = me.page.waitForResponse((answer) => answer.url().includes(`/api/v1/palette?q=${encodeURIComponent(words).replaceAll('%20', '+')}`))
      await me.page.keyboard.type(words)
      await answered
      await me.page.locator('#palette-list [role=option]').nth(1).waitFor()
      await me.page.keyboard.press('Enter')
      await me.page.waitForURL(url + address)
    }
    await me.innocent()
  })

  await check('keyboard: the first Tab offers to skip to the content', async () => {
    const me = await visitor(browser, url)
    await ready(me, '/')
    await me.page.keyboard.press('Tab')
    assert.equal(await me.page.evaluate(() => document.activeElement.getAttribute('href')), '#main')
    await me.page.keyboard.press('Enter')
    assert.equal(await me.page.evaluate(() => document.activeElement.id), 'main')
    await me.innocent()
  })

  await check('theme: the choice is kept', async () => {
    const me = await visitor(browser, url, { colorScheme: 'light' })
    await ready(me, '/')
    const colour = () => me.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const before = await colour()
    await me.page.locator('[data-theme-toggle]').click()
    if (await colour() === before) await me.page.locator('[data-theme-toggle]').click() // the first may be the system's own
    const after = await colour()
    assert.notEqual(after, before)
    await me.go(`/t/${work}`)
    assert.equal(await colour(), after)
    await me.innocent()
  })
}
