// What stands around every page: where one is, what is unread, and how an address that leads nowhere goes on.
import assert from 'node:assert/strict'
import { visitor } from '../browser.mjs'
import { pages } from '../pages.mjs'
import { work } from '../project.mjs'

export async function checks(check, world) {
  const { browser, url, project } = world

  await check('shell: every page marks its tab and says what is unread', async () => {
    const me = await visitor(browser, url, { javaScriptEnabled: false })
    const missing = []
    for (const { path } of [...pages(project), { path: `/t/${work}/do/take` }, { path: '/evidence/EV-001/mark' }]) {
      await me.go(path)
      const marked = await me.page.locator('.nav [aria-current=page]').count()
      const unread = await me.page.locator('.nav .count').count()
      if (marked !== 1 || unread !== 1) missing.push(`${path}: ${marked} tabs, ${unread} counts`)
    }
    assert.deepEqual(missing, [])
  })

  await check('shell: an address with a slip is answered with a sentence and the nearest name', async () => {
    const me = await visitor(browser, url, { javaScriptEnabled: false })
    await me.go(`/t/${work.replace('memory', 'memori')}`)
    assert.match(await me.page.locator('main').innerText(), /^There is nothing here\s+There is no .*memori\.\s+Did you mean RS-20251230-cell-fate-memory\?/)
    await me.page.getByRole('link', { name: work }).click()
    await me.page.getByRole('heading', { level: 1, name: 'Does a cell read its fate' }).waitFor()
    await me.go('/inbox/BlueLaek')
    await me.page.getByRole('link', { name: 'BlueLake', exact: true }).waitFor()
  })

  await check('shell: the record lists the versions, the newest first', async () => {
    const me = await visitor(browser, url, { javaScriptEnabled: false })
    await me.go(`/t/${project.demo}`)
    const lines = await me.page.locator('#latest .versions li').allInnerTexts()
    assert.equal(lines.length, 2)
    assert.match(lines[0], /^v2 .*what changed/s)
    assert.match(lines[1], /^v1 /)
  })
}
