// Lab mode: whatever a person can do from the pages, done there, and seen to be done elsewhere.
import assert from 'node:assert/strict'
import { until, visitor } from '../browser.mjs'
import { work } from '../project.mjs'

const refusedAnswer = [/status of (400|404|409|422)/]

export async function checks(check, world) {
  const { browser, url, project } = world

  await check('start: bad input is told where it stands', async () => {
    const me = await visitor(browser, url, { expected: refusedAnswer })
    await me.go('/start')
    await me.page.getByRole('button', { name: 'Add an agent' }).click()
    const entry = me.page.locator('[data-item]')
    await entry.locator('[name="roster.entries[].agentName"]').fill('not a name!')
    await me.page.getByRole('button', { name: 'Start the session' }).click()
    await me.page.locator('#question[aria-invalid=true]').waitFor()
    const said = await me.page.locator('form.start').innerText()
    assert.match(said, /needs its research question/)
    assert.match(said, /needs its background/)
    assert.equal(new URL(me.page.url()).pathname, '/start')
    await me.innocent()
  })

  await check('start: findings come while one types', async () => {
    const me = await visitor(browser, url)
    await me.go('/start')
    await me.page.locator('#context').pressSequentially('They do.')
    await me.page.getByText('needs its research question').first().waitFor()
    await me.page.locator('#question').fill('Why do the cells stop?')
    await me.page.getByText('needs its research question').first().waitFor({ state: 'detached' })
    await me.innocent()
  })

  await check('start: good input begins a session', async () => {
    const me = await visitor(browser, url)
    await me.go('/start')
    await me.page.locator('#question').fill('Why do the moved cells stop dividing?')
    await me.page.locator('#context').fill('They stop after two divisions. Unmoved cells go on for a week.')
    const roles = { BlueLake: 'hypothesis_generator', PurpleMountain: 'test_designer', RedSky: 'adversarial_critic' }
    for (const [agent, role] of Object.entries(roles)) {
      await me.page.getByRole('button', { name: 'Add an agent' }).click()
      const entry = me.page.locator('[data-item]').last()
      await entry.locator('[name="roster.entries[].agentName"]').fill(agent)
      await entry.locator('[name="roster.entries[].role"]').selectOption(role)
    }
    await me.page.getByText('KICKOFF').first().waitFor() // the preview
    await me.page.getByRole('button', { name: 'Start the session' }).click()
    await me.page.waitForURL(/\/t\/RS-\d{8}-/)
    await me.page.getByText('Why do the moved cells stop dividing?').first().waitFor()
    const sessions = JSON.parse(await project.run('session', 'list', '--json')).sessions
    const begun = sessions.find((session) => session.question === 'Why do the moved cells stop dividing?')
    assert.equal(begun?.phase, 'kickoff')
    assert.deepEqual(begun.roles.test_designer.agents, ['PurpleMountain'])
    await me.innocent()
  })

  await check('compose: the door says what is wrong, then takes it', async () => {
    const me = await visitor(browser, url, { expected: refusedAnswer })
    await me.go(`/compose?thread=${work}`)
    await me.page.locator('#to').fill('BlueLake')
    await me.page.locator('#subject').fill('DELTA[human]: Nothing in it')
    await me.page.locator('#body').fill('No delta at all.')
    await me.page.getByText('MB-004').first().waitFor()
    await me.page.getByRole('button', { name: 'Send', exact: true }).click()
    await me.page.locator('.refusal').first().waitFor()
    await me.page.locator('#subject').fill('INFO: Something in it')
    await me.page.locator('#body').fill('# Something\n\nIt was too early.')
    await me.page.getByRole('button', { name: 'Send', exact: true }).click()
    await me.page.waitForURL(/\/(m|t)\//)
    const found = JSON.parse(await project.run('mail', 'search', '"Something in it"', '--json'))
    assert.equal(found.count, 1)
    assert.equal(found.messages[0].from, 'Operator')
    await me.innocent()
  })

  await check('inbox: mark read, acknowledge, reply', async () => {
    const me = await visitor(browser, url)
    await me.go('/inbox/BlueLake')
    const owed = me.page.locator('article').filter({ has: me.page.getByRole('button', { name: 'Acknowledge' }) }).first()
    const id = (await owed.getAttribute('id')).slice(1)
    await owed.getByRole('button', { name: 'Mark read' }).click()
    await me.page.locator(`#m${id}.unread`).waitFor({ state: 'detached' })
    await me.page.locator(`#m${id}`).getByRole('button', { name: 'Acknowledge', exact: true }).first().click()
    await until('the acknowledgement', async () => !JSON.parse(await project.run('acks', '--json')).pending.some((ack) => ack.agent === 'BlueLake' && ack.message_id === Number(id)))
    await me.page.locator(`#m${id}`).getByText('Reply', { exact: true }).click()
    await me.page.locator(`#text-${id}`).fill('Forty cells are on their way.')
    await me.page.locator(`#m${id}`).getByRole('button', { name: /^Send to/ }).click()
    await until('the reply', async () => JSON.parse(await project.run('mail', 'search', '"on their way"', '--json')).count === 1)
    await me.innocent()
  })

  await check('critique: answer from the review queue', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}`)
    const queue = me.page.locator('#critiques')
    await queue.getByText('The delay was never measured').first().waitFor()
    const open = JSON.parse(await project.run('critique', 'list', work, '--json')).critiques.find((critique) => critique.state === 'open' && !critique.item)
    await queue.locator(`#critique-${open.message_id}`).getByRole('link', { name: 'Answer', exact: true }).click()
    const drawer = me.page.locator('dialog[open]')
    await drawer.locator('textarea:visible').first().fill('It was: see the films of May.')
    await drawer.getByRole('button', { name: 'Answer', exact: true }).click()
    await until('the rebuttal', async () => JSON.parse(await project.run('critique', 'list', work, '--json')).critiques.find((critique) => critique.message_id === open.message_id).state === 'answered')
    await me.innocent()
  })

  await check('compile: a preview changes nothing', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}`)
    const before = await project.run('session', 'status', work, '--json')
    await me.page.getByRole('button', { name: /^Preview v2/ }).click()
    await me.page.locator('[data-preview]').getByText('A clock in the cell').or(me.page.locator('[data-preview]').getByText('H4')).first().waitFor()
    assert.equal(JSON.parse(await project.run('session', 'status', work, '--json')).latest_version, JSON.parse(before).latest_version)
    await me.innocent()
  })

  await check('compile: publishes the next version, asked first', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}`)
    await me.page.locator('#summary').fill('A clock and salt')
    await me.page.getByRole('button', { name: /^Compile v2/ }).click()
    await me.page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click()
    assert.equal(JSON.parse(await project.run('session', 'status', work, '--json')).latest_version, 1)
    await me.page.getByRole('button', { name: /^Compile v2/ }).click()
    await me.page.locator('dialog[open]').getByRole('button', { name: /Compile/ }).click()
    await me.page.locator('#latest').getByText('v2').first().waitFor()
    const versions = JSON.parse(await project.run('artifact', 'history', work, '--json')).versions
    assert.equal(versions.length, 2)
    assert.equal(versions[1].subject, 'COMPILED: v2 A clock and salt')
    await me.innocent()
  })

  await check('persist: Draft becomes Persisted, in git', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}`)
    const chip = me.page.locator('#latest [data-persistence]')
    assert.equal(await chip.innerText(), 'Draft')
    const head = await project.git('rev-parse', 'HEAD')
    await me.page.getByRole('button', { name: 'Write the file' }).click()
    await chip.filter({ hasText: 'Persisted' }).waitFor()
    assert.notEqual(await project.git('rev-parse', 'HEAD'), head)
    const files = await project.git('show', '--name-only', '--format=', 'HEAD')
    assert.equal(files.trim(), `artifacts/${work}.md`)
    await me.innocent()
  })

  await check('persist: a file that a person edited is not overwritten', async () => {
    const me = await visitor(browser, url, { expected: refusedAnswer })
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${project.dir}/artifacts/${work}.md`, '# Mine now\n')
    await me.go(`/t/${work}`)
    await me.page.getByRole('button', { name: 'Write the file' }).click()
    await me.page.locator('.refusal').first().waitFor()
    await project.git('checkout', '--', 'artifacts')
    await me.innocent()
  })

  await check('diagnose: repairs are posted', async () => {
    const me = await visitor(browser, url)
    await me.go(`/t/${work}/diagnose`)
    await me.page.locator('form[data-api$="/diagnose-fix"]').getByRole('button').last().click()
    const dialog = me.page.locator('dialog[open]')
    await until('the repair, or a question', async () => await dialog.count() > 0 || await repaired(project))
    if (await dialog.count() > 0) await dialog.locator('button[value=yes]').click()
    await until('the repair', () => repaired(project))
    await me.innocent()
  })

  await check('complete: needs a reason while problems are open', async () => {
    const me = await visitor(browser, url, { expected: refusedAnswer })
    await me.go(`/t/${work}`)
    await me.page.getByText('Close the question').first().click()
    const form = me.page.locator('form[data-api$="/complete"]')
    await form.locator('[name=force]').fill('The dish was lost')
    await form.getByRole('button').last().click()
    await me.page.locator('dialog[open]').locator('button[value=yes]').click()
    await until('the end', async () => JSON.parse(await project.run('session', 'status', work, '--json')).phase === 'complete')
    await me.page.getByText(/Closed at version \d/).first().waitFor()
    await me.innocent()
  })
}

async function repaired(project) {
  const { messages } = JSON.parse(await project.run('thread', 'show', work, '--json'))
  return messages.some((message) => message.subject.startsWith('DELTA[human]') && /repair/i.test(message.subject + message.body_md))
}
