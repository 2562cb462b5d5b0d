// axe-core has nothing to say about any page, light and dark, on a desk and in a hand.
import assert from 'node:assert/strict'
import { desktop, phone, problems, visitor } from '../browser.mjs'
import { pages } from '../pages.mjs'

export async function checks(check, world) {
  const { browser, url, project } = world
  for (const { name, path, status } of pages(project)) {
    await check(`axe-core: ${name}`, async () => {
      const me = await visitor(browser, url, { expected: status ? [/status of 404/] : [] })
      await me.go(path)
      await me.page.locator('main details').evaluateAll((all) => all.forEach((details) => { details.open = true }))
      assert.deepEqual(await everyLook(me.page), [])
      await me.innocent()
    })
  }
  for (const key of ['Control+k', '?']) {
    await check(`axe-core: the dialog of ${key}`, async () => {
      const me = await visitor(browser, url)
      await me.go('/')
      await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
      await me.page.keyboard.press(key)
      await me.page.locator('dialog[open]').waitFor()
      assert.deepEqual(await everyLook(me.page), [])
      await me.innocent()
    })
  }
  await check('the pages can be enlarged to 400 %', async () => {
    const me = await visitor(browser, url, { viewport: { width: 320, height: 256 } })
    const wide = []
    for (const { path, status } of pages(project)) {
      if (status) continue
      await me.go(path)
      if (await me.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) wide.push(path)
    }
    assert.deepEqual(wide, [], 'these have to be scrolled sideways (WCAG 1.4.10)')
  })
}

// everyLook goes through both themes at both widths.
async function everyLook(page) {
  const found = []
  for (const [device, size] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      for (const problem of await problems(page, { colours: colorScheme === 'dark' })) found.push(`${colorScheme}, ${device}: ${problem}`)
    }
  }
  return found
}
