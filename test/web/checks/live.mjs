// What another process does shows on open pages without loading them again.
import assert from 'node:assert/strict'
import { until, visitor } from '../browser.mjs'
import { delta, work } from '../project.mjs'

export async function checks(check, world) {
  const { browser, url, project } = world

  await check('live: mail of another process appears on the session', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}`)
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    await me.page.evaluate(() => { globalThis.sameDocument = true })
    await project.send('RedSky', 'QUESTION: Which dish?', '# Question\n\n## Question\n\nWhich dish holds the forty cells?\n')
    await me.page.getByText('Which dish?').first().waitFor()
    assert.ok(await me.page.evaluate(() => globalThis.sameDocument), 'the page was loaded again')
    await me.innocent()
  })

  await check('live: the list of sessions counts what waits', async () => {
    const me = await visitor(browser, url)
    await me.go('/')
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    const row = me.page.locator('[data-row]').filter({ hasText: 'Does a cell read its fate' })
    const before = await row.innerText()
    await me.page.evaluate(() => { globalThis.sameDocument = true })
    await project.send('BlueLake', 'DELTA[gpt]: Yet another way', delta('Salt'))
    await until('the row changes', async () => await row.innerText() !== before)
    assert.ok(await me.page.evaluate(() => globalThis.sameDocument), 'the page was loaded again')
    await me.innocent()
  })

  await check('live: what somebody types stays', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}`)
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    await me.page.locator('#summary').fill('Half a summ')
    await project.send('RedSky', 'INFO: Meanwhile', '# Meanwhile\n\nSomething else.\n')
    await me.page.getByText('Meanwhile').first().waitFor()
    assert.equal(await me.page.locator('#summary').inputValue(), 'Half a summ')
    assert.equal(await me.page.evaluate(() => document.activeElement.id), 'summary')
    await me.innocent()
  })

  await check('live: an inbox hears of new mail', async () => {
    const me = await visitor(browser, url)
    await me.go('/inbox/Operator')
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    await project.send('PurpleMountain', 'INFO: The dose curve is done', '# Done\n\nIt is steep.\n')
    await me.page.getByText('The dose curve is done').first().waitFor()
    await me.innocent()
  })

  await check('live: ten tabs are all live, and stay so when the first is closed', async () => {
    const me = await visitor(browser, url)
    const tabs = [me.page]
    for (let i = 0; i < 9; i++) tabs.push(await me.context.newPage())
    for (const tab of tabs) await tab.goto(`${url}/t/${work}`) // a browser opens six connections to a server, no more
    for (const tab of tabs) await tab.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    await project.send('RedSky', 'INFO: To all tabs', '# News\n\nOne.\n')
    for (const tab of tabs) await tab.getByText('To all tabs').first().waitFor()
    await tabs.shift().close()
    await project.send('RedSky', 'INFO: To the other tabs', '# News\n\nTwo.\n')
    for (const tab of tabs) await tab.getByText('To the other tabs').first().waitFor()
    me.page = tabs[0]
    await me.innocent()
  })
}
