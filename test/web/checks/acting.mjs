// Act where you read: an attack is answered, a question replied to, changes are taken in and a result is recorded beside what they are
// about, with the keyboard alone, and the next thing that waits comes after it.
import assert from 'node:assert/strict'
import { desktop, overflow, phone, problems, until, visitor } from '../browser.mjs'
import { measuredThread } from '../measured.mjs'

const page = `/t/${measuredThread}`
const wide = { width: 1440, height: 900 }
const focused = (me) => me.page.evaluate(() => document.activeElement.id)

async function ready(me, path = page) {
  await me.go(path)
  await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
}

export async function checks(check, world) {
  const { browser, measuredURL: url, measured } = world

  await check('drawer: without script the same page says what it is about', async () => {
    const me = await visitor(browser, url, { javaScriptEnabled: false })
    await me.go(page)
    const link = me.page.locator('#waits a', { hasText: 'Answer' })
    await link.click()
    await me.page.waitForURL(/\/do\/answer\?of=\d+$/)
    assert.match(await me.page.locator('main').innerText(), /It makes matter clump too much[\s\S]*It attacks[\s\S]*H2[\s\S]*critique answer/)
  })

  await check('drawer: every act fits a desk and a phone, and axe finds nothing', async () => {
    for (const viewport of [wide, { width: 1024, height: 800 }, phone]) {
      for (const colorScheme of ['light', 'dark']) {
        const me = await visitor(browser, url, { viewport, colorScheme })
        for (const act of [`answer?of=${measured.attack}`, `reply?of=${measured.asked}`, 'take', 'result?of=T10', 'ask?of=T10', '/evidence/add', '/evidence/EV-003/mark']) {
          await me.go(act.startsWith('/') ? act : `${page}/do/${act}`)
          assert.deepEqual(await overflow(me.page), [], act)
          if (viewport.width === 1024) continue
          assert.deepEqual(await problems(me.page, { colours: colorScheme === 'dark' }), [], `${act} ${viewport.width} ${colorScheme}`)
        }
        await ready(me)
        await me.page.locator('#next a[data-sheet]').first().click()
        await me.page.locator('dialog.sheet[open]').waitFor()
        assert.deepEqual(await problems(me.page, { within: 'dialog.sheet', colours: colorScheme === 'dark' }), [], `the drawer at ${viewport.width} ${colorScheme}`)
        await me.innocent()
      }
    }
  })

  await check('drawer: a value shows what it would do before it is recorded', async () => {
    const me = await visitor(browser, url, { viewport: wide })
    await ready(me)
    await me.page.locator('#next a[data-sheet]').first().click()
    await until('the focus is in the field', async () => (await focused(me)) === 'act')
    await me.page.keyboard.type('73.3')
    await me.page.keyboard.press('Tab')
    await me.page.keyboard.type('2.5')
    const drawer = me.page.locator('dialog.sheet')
    await drawer.getByText(/It would teach [\d.]+ bits/).waitFor()
    const told = JSON.parse(await measured.run('whatif', measuredThread, 'T10=73.3 ± 2.5', '--json'))
    const bars = await drawer.locator('[data-trial] .sharebar').evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label')))
    assert.equal(bars.length, 2)
    const share = /H2 (\d+) %/.exec(bars[1])[1]
    assert.ok(Math.abs(Number(share) - 100 * told.posterior.H2) < 1, `${share} beside ${told.posterior.H2}`)
    await me.innocent()
  })
}

// writes is what changes the project.
export async function writes(check, world) {
  const { browser, measuredURL: url, measured } = world

  await check('drawer: Escape keeps the draft and gives the focus back; Ctrl Enter answers and brings the next', async () => {
    const me = await visitor(browser, url, { viewport: desktop })
    await ready(me)
    await me.page.locator('#waits a', { hasText: 'Answer' }).focus()
    await me.page.keyboard.press('Enter')
    await until('the focus is in the field', async () => (await focused(me)) === 'act')
    await me.page.keyboard.type('As EV-003 says, “We find a value of H0 = 62.9 and discuss”. ')
    await me.page.locator('dialog.sheet [data-quotes]').getByText('1 of 1 quotation found in EV-003').waitFor()
    await me.page.keyboard.press('Escape')
    assert.equal(await me.page.locator('dialog.sheet').count(), 0)
    assert.equal(await me.page.evaluate(() => document.activeElement.textContent), 'Answer')
    await me.page.keyboard.press('Enter')
    await until('the draft is there again', async () => (await me.page.locator('dialog.sheet #act').inputValue().catch(() => '')).startsWith('As EV-003'))
    await me.page.locator('dialog.sheet').getByText('It is right in part').click()
    await me.page.locator('#act-field').selectOption('mechanism')
    await me.page.locator('#act-text').fill('The extra energy decays into something that does not clump.')
    await me.page.keyboard.press('Escape')
    await me.page.keyboard.press('Enter')
    await me.page.locator('#act-text').waitFor() // hidden as long as another choice stands
    assert.equal(await me.page.locator('input[value=part]').isChecked(), true, 'the choice is not kept')
    assert.equal(await me.page.locator('#act-field').inputValue(), 'mechanism')
    assert.equal(await me.page.locator('#act-text').inputValue(), 'The extra energy decays into something that does not clump.')
    assert.match(await me.page.locator('#act').inputValue(), /^As EV-003/)
    await me.page.locator('#act').focus()
    await me.page.keyboard.press('Control+Enter')
    await me.page.locator('dialog.sheet h1', { hasText: 'Answer BlueLake' }).waitFor()
    const critiques = JSON.parse(await measured.run('critique', 'list', measuredThread, '--json')).critiques
    assert.deepEqual(critiques.find((one) => one.message_id === measured.attack).answers.map((one) => one.kind), ['delta'])
    await until('the focus is in the next field', async () => (await focused(me)) === 'act')
    await me.page.keyboard.type('Yes, you may.')
    await me.page.keyboard.press('Control+Enter')
    await me.page.locator('dialog.sheet h1', { hasText: 'Take in' }).waitFor()
    assert.match(await me.page.locator('dialog.sheet').innerText(), /does not clump/, 'the change is not shown before it is taken in')
    await me.page.locator('dialog.sheet #act').focus()
    await me.page.keyboard.press('Control+Enter')
    await me.page.locator('dialog.sheet').waitFor({ state: 'detached' })
    await until('the version is there', async () => /does not clump/.test(await measured.run('artifact', 'show', measuredThread)))
    await me.innocent()
  })

  await check('drawer: a number is recorded with its error, control and source', async () => {
    const me = await visitor(browser, url, { viewport: phone, isMobile: true, hasTouch: true })
    await ready(me)
    await me.page.locator('#next a[data-sheet]').first().tap()
    const drawer = me.page.locator('dialog.sheet')
    await drawer.locator('#act').fill('73.3')
    await drawer.locator('#act-plus').fill('2.5')
    await drawer.locator('#act-minus').fill('2')
    await drawer.getByText('yes, it worked').click()
    await drawer.locator('#act-ev').fill('EV-003')
    await drawer.getByText('not all of these numbers stand in EV-003').waitFor()
    assert.deepEqual(await overflow(me.page), [])
    await drawer.getByRole('button', { name: 'Record it' }).click()
    await drawer.waitFor({ state: 'detached' })
    const results = JSON.parse(await measured.run('result', 'list', measuredThread, '--json')).results.filter((one) => one.test === 'T10')
    assert.equal(results.length, 1)
    assert.deepEqual([results[0].value.x, results[0].value.plus, results[0].value.minus, results[0].potency, results[0].evidence], [73.3, 2.5, 2, 'passed', ['EV-003']])
    await me.page.locator('#found').getByText('73.3 +2.5 −2').first().waitFor()
    await me.innocent()
  })

  await check('source: a file is added from the page, quoted, and marked as retracted', async () => {
    const me = await visitor(browser, url, { viewport: wide })
    await ready(me, '/evidence')
    await me.page.getByRole('link', { name: 'Add a source' }).click()
    const drawer = me.page.locator('dialog.sheet')
    await drawer.locator('input[type=file]').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('The clumping comes out at 0.77, with an error of 0.02.\n') })
    await drawer.getByText('note.txt, 1 KiB').waitFor()
    await drawer.locator('#act-title').fill('A note on clumping')
    await drawer.getByRole('button', { name: 'Add it' }).click()
    await me.page.waitForURL(/\/evidence\/EV-012$/)
    assert.match(await me.page.locator('main').innerText(), /A note on clumping[\s\S]*The clumping comes out at 0\.77/)
    await me.page.getByRole('link', { name: 'say where it stands' }).click()
    await drawer.getByText('retracted', { exact: false }).first().click()
    await drawer.locator('#act').fill('By its author')
    await me.page.keyboard.press('Control+Enter')
    await drawer.waitFor({ state: 'detached' })
    await me.page.locator('.ban.retracted').waitFor()
    const shown = JSON.parse(await measured.run('evidence', 'show', 'EV-012', '--json'))
    assert.deepEqual([shown.status, shown.status_note], ['retracted', 'By its author'])
    await me.innocent()
  })
}
