// Read in place: what a reference refers to opens beside the text, with a click, a tap or the keyboard, and the focus comes back.
import assert from 'node:assert/strict'
import { overflow, phone, problems, until, visitor } from '../browser.mjs'
import { measuredThread } from '../measured.mjs'

export async function checks(check, world) {
  const { browser, measuredURL: url } = world
  const at = `/t/${measuredThread}`

  await check('panel: a reference opens beside the text, j and k go on, Escape gives the focus back', async () => {
    const me = await visitor(browser, url, { viewport: { width: 1440, height: 900 } })
    await me.go(at)
    await me.page.locator('html[data-js]').waitFor()
    const link = me.page.locator('#found a[data-ref=T3]').first()
    await link.focus()
    await me.page.keyboard.press('Enter')
    const panel = me.page.locator('.reading')
    await panel.getByText('73.9 ± 3').waitFor()
    assert.match(await panel.innerText(), /Pesce et al\. 2020[\s\S]*RedSky[\s\S]*as expected by\s+H2[\s\S]*not as expected by[\s\S]*Open T3/)
    assert.equal(new URL(me.page.url()).pathname, at, 'the page is left')
    const title = () => panel.locator('.t .id').innerText()
    await me.page.keyboard.press('j')
    await until('the next reference is shown', async () => (await title()) === 'EV-003')
    await panel.getByText('Pesce et al. 2020').first().waitFor()
    await me.page.keyboard.press('k')
    await until('the one before is shown', async () => (await title()) === 'T3')
    assert.deepEqual(await problems(me.page, { within: '.reading' }), [])
    await me.page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assert.equal(await me.page.evaluate(() => document.activeElement.dataset.ref), 'T3')
    await me.innocent()
  })

  await check('panel: a source shows the quoted passage marked, with the words around it and who quotes it', async () => {
    const me = await visitor(browser, world.url, { viewport: { width: 1440, height: 900 } })
    await me.go(`/t/${world.project.demo}`)
    await me.page.locator('html[data-js]').waitFor()
    await me.page.locator('main a[data-ref^="EV-001"]:visible').first().click()
    const panel = me.page.locator('.reading')
    await panel.locator('blockquote mark').first().waitFor()
    assert.match(await panel.innerText(), /the better part of an hour[\s\S]*quoted by X1/)
    assert.match(await panel.locator('blockquote mark').first().innerText(), /as evenly as a clock|the better part of an hour/)
    await me.innocent()
  })

  await check('panel: in the hand it is a sheet that a tap opens', async () => {
    for (const colorScheme of ['light', 'dark']) {
      const me = await visitor(browser, url, { viewport: phone, isMobile: true, hasTouch: true, colorScheme })
      await me.go(at)
      await me.page.locator('html[data-js]').waitFor()
      await me.page.locator('#slate a[data-ref=H2]').first().tap()
      const panel = me.page.locator('.reading')
      await panel.getByText('Mechanism').waitFor()
      const box = await panel.boundingBox()
      assert.ok(Math.abs(box.x) < 1 && Math.abs(box.width - phone.width) < 2 && box.y + box.height > phone.height - 2, JSON.stringify(box))
      assert.deepEqual(await overflow(me.page), [])
      assert.deepEqual(await problems(me.page, { within: '.reading' }), [])
      await me.innocent()
    }
  })
}
