// What the pages of documents do beyond being read: notes beside values, links into long artifacts, the rail of
// versions, the picture of the genealogy.
import assert from 'node:assert/strict'
import { phone, visitor } from '../browser.mjs'

export async function checks(check, world) {
  const { browser, url, project } = world
  const paper = `/t/${project.demo}/v/2`

  await check('artifact: a note shows beside its value by pointer and by keyboard', async () => {
    const me = await visitor(browser, url)
    await me.go(paper)
    const marker = me.page.locator('#H2\\.mechanism .src')
    const card = me.page.locator('.source-card:popover-open')
    await marker.hover()
    await card.waitFor()
    const text = await card.innerText()
    for (const part of [/BlueLake/, /ago|just now/, /message \d+/, /slow animal/]) assert.match(text, part)
    await me.page.mouse.move(2, 2)
    await card.waitFor({ state: 'detached' })
    await marker.focus()
    await me.page.keyboard.press('Shift+Tab')
    await me.page.keyboard.press('Tab')
    await card.waitFor()
    await me.page.keyboard.press('Enter')
    assert.equal(await me.page.evaluate(() => document.activeElement.closest('.source-card') !== null), true, 'Enter goes into the note')
    await me.page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    assert.equal(await me.page.evaluate(() => document.activeElement.className), 'src', 'Escape goes back')
    await me.innocent()
  })

  await check('artifact: a note shows by a tap, and as a link without JavaScript', async () => {
    const me = await visitor(browser, url, { viewport: phone, hasTouch: true, isMobile: true })
    await me.go(paper)
    await me.page.locator('#P1 .written .src').first().tap()
    await me.page.locator('.source-card:popover-open').getByText('message').waitFor()
    await me.innocent()
    const plain = await visitor(browser, url, { javaScriptEnabled: false })
    await plain.go(paper)
    await plain.page.locator('#H2\\.mechanism .src').click()
    assert.match(plain.page.url(), /#src-\d+-\d+$/)
    assert.match(await plain.page.locator('li:target').innerText(), /slow animal/)
  })

  await check('artifact: an address leads to its item and shows it', async () => {
    const me = await visitor(browser, url)
    await me.go(`${paper}#H2`)
    assert.notEqual(await me.page.locator('#H2').evaluate((item) => getComputedStyle(item).outlineStyle), 'none')
    assert.equal(await me.page.locator('.matrix .gone').count() > 3, true, 'a killed column is greyed')
    await me.innocent()
  })

  await check('diff: the rail leads through the versions', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${project.demo}/diff`)
    const title = me.page.locator('h1')
    assert.match(await title.innerText(), /v1 to v2/)
    await me.page.locator('[data-scrub]').focus()
    await me.page.keyboard.press('ArrowLeft')
    await title.filter({ hasText: 'nothing to v1' }).waitFor()
    assert.match(me.page.url(), /from=0&to=1/)
    assert.match(await me.page.locator('[data-glance]').innerText(), /v1 .*Operator/)
    await me.page.goBack()
    await title.filter({ hasText: 'v1 to v2' }).waitFor()
    await me.innocent()
  })

  await check('genealogy: the picture zooms, moves and follows references by keyboard', async () => {
    const me = await visitor(browser, url)
    await me.go('/genealogy')
    const graph = me.page.locator('svg.graph')
    const view = async () => (await graph.getAttribute('viewBox')).split(' ').map(Number)
    const before = await view()
    await me.page.locator('[data-zoom=in]').click()
    assert.ok((await view())[2] < before[2], 'the button does not zoom')
    await me.page.locator('[data-canvas]').focus()
    await me.page.keyboard.press('-')
    assert.ok(Math.abs((await view())[2] - before[2]) < 1, 'the key does not zoom back')
    const place = await view()
    await me.page.keyboard.press('ArrowRight')
    assert.ok((await view())[0] > place[0], 'the arrow does not move the picture')
    await me.page.keyboard.press('0')
    const node = me.page.locator('a[data-node]:not([data-newer=""])').first()
    await node.focus()
    const name = () => me.page.evaluate(() => document.activeElement.querySelector('.name')?.textContent)
    const older = await name()
    await me.page.keyboard.press('ArrowRight')
    const newer = await name()
    assert.notEqual(newer, older)
    await me.page.keyboard.press('Enter')
    await me.page.waitForURL(/\/v\/latest\?item=/)
    await me.innocent()
  })
}
