// Where other machines can reach the server, a browser signs in with a token, and only the operator's writes.
import assert from 'node:assert/strict'
import { overflow, phone, problems, visitor } from '../browser.mjs'
import { serve } from '../process.mjs'

export async function checks(check, world) {
  const { browser, brenner, env, project } = world
  const tokens = {
    operator: (await project.run('token', 'create', '--operator')).trim(),
    agent: (await project.run('token', 'create', 'BlueLake')).trim(),
  }
  const server = await serve(brenner, project.dir, env, '--lab', '--addr', '0.0.0.0:0')
  world.stops.push(server.stop)
  const url = `http://127.0.0.1:${new URL(server.url).port}`

  const signIn = async (me, token) => {
    await me.page.locator('#token').fill(token)
    await me.page.getByRole('button', { name: 'Sign in' }).click()
  }
  const write = async (me, subject) => {
    await me.go('/compose')
    await me.page.locator('#to').fill('RedSky')
    await me.page.locator('#subject').fill(subject)
    await me.page.locator('#body').fill('Hello.')
    await me.page.getByRole('button', { name: 'Send', exact: true }).click()
  }

  await check('sign in: nothing is shown without a token', async () => {
    for (const path of ['/api/v1/sessions', '/api/v1/events', '/api/v1/openapi.json']) assert.equal((await fetch(url + path)).status, 401, path)
    const me = await visitor(browser, url, { viewport: phone })
    await me.go('/inbox')
    assert.equal(new URL(me.page.url()).pathname, '/login')
    assert.doesNotMatch(await me.page.locator('body').innerText(), /BlueLake|cell/)
    assert.deepEqual(await problems(me.page), [])
    assert.deepEqual(await overflow(me.page), [])
    await me.innocent()
  })

  await check('sign in: a wrong token is told, a right one leads on', async () => {
    const me = await visitor(browser, url, { expected: [/status of 403/] })
    await me.go('/inbox')
    await signIn(me, 'brenner_not-a-token')
    await me.page.getByRole('alert').waitFor()
    assert.deepEqual(await problems(me.page), [])
    await signIn(me, tokens.operator)
    await me.page.waitForURL(`${url}/inbox`)
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    await me.innocent()
  })

  await check('sign in: the operator writes', async () => {
    const me = await visitor(browser, url)
    await me.go('/compose')
    await signIn(me, tokens.operator)
    await me.page.waitForURL(`${url}/compose`)
    await write(me, 'INFO: From the operator afar')
    await me.page.waitForURL(/\/m\//)
    assert.equal(JSON.parse(await project.run('mail', 'search', '"operator afar"', '--json')).count, 1)
    await me.innocent()
  })

  await check('sign in: an agent reads, and is told why it cannot write', async () => {
    const me = await visitor(browser, url, { expected: [/status of 403/] })
    await me.go('/')
    await signIn(me, tokens.agent)
    await me.page.waitForURL(`${url}/`)
    await me.go('/compose')
    const answer = await me.page.evaluate(() => fetch('/api/v1/messages', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"from":"BlueLake","to":["RedSky"],"subject":"INFO: From an agent afar","body_md":"x"}',
    }).then((got) => got.json()))
    assert.equal(answer.ok, false)
    assert.match(answer.error.message, /operator's token/)
    assert.equal(JSON.parse(await project.run('mail', 'search', '"agent afar"', '--json')).count, 0)
    await me.innocent()
  })
}
