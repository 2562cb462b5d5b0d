// Evidence and results: the pack and its sources, support and predictions on the page of a session, and a result that is
// recorded from the form.
import assert from 'node:assert/strict'
import { desktop, overflow, phone, problems, until, visitor } from '../browser.mjs'
import { work } from '../project.mjs'

const line = /8 of 8 predictions revealed: 7 locked, 1 after the result/

export async function checks(check, world) {
  const { browser, url, project } = world

  await check('evidence: the pack lists its sources, finds words and leads to the line', async () => {
    const me = await visitor(browser, url)
    await me.go('/evidence')
    const table = me.page.locator('table.sources')
    assert.match(await table.innerText(), /EV-001[\s\S]*Letter of an observer[\s\S]*EV-002[\s\S]*run/)
    await me.page.locator('#words').fill('better part')
    await me.page.keyboard.press('Enter')
    await me.page.waitForURL(/q=better/)
    await me.page.locator('.passages a').first().click()
    await me.page.waitForURL(/\/evidence\/EV-001.*#L\d+$/)
    assert.match(await me.page.locator('.txt .p:has(:target)').innerText(), /better/)
    await me.go('/evidence?q=elephants')
    await me.page.getByText('No source has all these words.').waitFor()
    await me.go('/evidence/EV-002')
    assert.match(await me.page.locator('main').innerText(), /git show HEAD:nights\.txt[\s\S]*outcome: The difference grows steadily/)
    await me.innocent()
  })

  await check('evidence: pages fit a desk and a phone, and axe finds nothing', async () => {
    for (const viewport of [desktop, phone]) {
      const me = await visitor(browser, url, { viewport })
      for (const path of ['/evidence', '/evidence?q=hour', '/evidence/EV-001', '/evidence/EV-002']) {
        await me.go(path)
        assert.deepEqual(await overflow(me.page), [], path)
        assert.deepEqual(await problems(me.page), [], path)
      }
      await me.innocent()
    }
  })

  await check('evidence: what an item rests on stands beside it', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${project.demo}`)
    assert.match(await me.page.locator('#slate').innerText(), /quoted/)
    await me.innocent()
  })

  await check('predictions: the line counts them, and a late one shows what was registered', async () => {
    for (const options of [{}, { javaScriptEnabled: false }]) {
      const me = await visitor(browser, url, options)
      await me.go(`/t/${project.demo}`)
      assert.match(await me.page.locator('#found .reg').innerText(), line)
      const cell = me.page.locator('#matrix table').first().getByRole('link', { name: /^T1, H2 expected A shift that depends smoothly[\s\S]*written when somebody had looked/ })
      await cell.click()
      await me.page.locator('.panel-cell').getByText('No shift at any phase, where the lamp').first().waitFor()
      if (!('javaScriptEnabled' in options)) await me.innocent()
    }
  })
}

// writes is what changes the project.
export async function writes(check, world) {
  const { browser, url, project } = world

  await check('result: recorded from the form, refused where it says nothing', async () => {
    const me = await visitor(browser, url, { expected: [/status of (400|404|409|422)/] })
    await me.go(`/t/${work}/v/latest#T1`)
    const form = me.page.locator('form[aria-label="Result of T1"]')
    await me.page.locator('#T1').getByText('Record a result').click()
    const results = async () => JSON.parse(await project.run('result', 'list', work, '--json')).results.filter((result) => result.test === 'T1')
    const before = (await results()).length
    await form.getByRole('button', { name: 'Record' }).click()
    await me.page.getByText('has an outcome').first().waitFor()
    assert.equal((await results()).length, before, 'a refused result is recorded')
    await form.getByLabel('Outcome').fill('Seen from the page')
    await form.getByLabel('Evidence').fill('EV-001')
    await form.getByLabel('Exploratory', { exact: false }).check()
    await form.getByRole('button', { name: 'Record' }).click()
    await until('the result is in the log', async () => (await results()).length === before + 1)
    const [last] = (await results()).slice(-1)
    assert.equal(last.outcome, 'Seen from the page')
    assert.equal(last.exploratory, true)
    assert.deepEqual(last.evidence, ['EV-001'])
    await me.innocent()
  })

  await check('result: no form where nobody may write', async () => {
    const me = await visitor(browser, world.lockedURL)
    await me.go(`/t/${work}/v/latest`)
    assert.equal(await me.page.locator('form[aria-label^="Result of"]').count(), 0)
    await me.innocent()
  })
}
