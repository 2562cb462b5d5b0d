// Without lab mode nothing writes, and the page says why. Pages of other sites never write.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { visitor } from '../browser.mjs'
import { work } from '../project.mjs'

export async function checks(check, world) {
  const { browser, url, lockedURL, project } = world

  await check('read-only: every write answers 403', async () => {
    const document = await fetch(`${lockedURL}/api/v1/openapi.json`).then((answer) => answer.json())
    let count = 0
    for (const [path, operations] of Object.entries(document.paths)) {
      if (!operations.post || operations.post.tags[0] === 'judge') continue
      const address = path.replace('{thread}', work).replace('{id}', '1')
      const answer = await fetch(lockedURL + address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
      assert.equal(answer.status, 403, address)
      const { ok, error } = await answer.json()
      assert.equal(ok, false)
      assert.equal(error.code, 'NOT_ALLOWED')
      assert.match(error.message, /lab mode/)
      count++
    }
    assert.ok(count >= 11, `only ${count} writes`)
    return `${count} writes`
  })

  await check('read-only: pages offer nothing that writes, and say why', async () => {
    const me = await visitor(browser, lockedURL)
    for (const path of ['/start', '/compose', `/t/${work}`, '/inbox/BlueLake', '/m/12', `/t/${work}/diagnose`]) {
      await me.go(path)
      const text = await me.page.locator('body').innerText()
      assert.match(text, /brenner serve --lab/, path)
      const live = await me.page.locator('form[data-api] button:visible:enabled').evaluateAll((all) => all.filter((button) => button.name !== 'dry_run').map((button) => button.textContent))
      assert.deepEqual(live, [], `${path} has buttons that would be refused`)
    }
    await me.innocent()
  })

  await check('read-only: a form that is sent all the same shows why it is refused', async () => {
    const me = await visitor(browser, lockedURL, { expected: [/status of 403/] })
    await me.go('/compose')
    await me.page.locator('#to').fill('BlueLake')
    await me.page.locator('#subject').fill('INFO: x')
    await me.page.locator('#body').fill('y')
    await me.page.locator('form[data-api] button').last().evaluate((button) => { button.disabled = false })
    await me.page.locator('form[data-api]').evaluate((form) => form.requestSubmit())
    const why = me.page.locator('.refusal').filter({ hasText: 'lab mode' }).first()
    await why.waitFor()
    await me.innocent()
  })

  await check('another site cannot write, in lab mode either', () => otherSite(browser, url, project))
}

// otherSite is a page on another port of this machine, which a browser lets send what it likes.
async function otherSite(browser, url, project) {
  const site = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Elsewhere</title><form id="form" method="post" enctype="text/plain" action="${url}/api/v1/messages">
      <input name='{"to":["BlueLake"],"subject":"INFO: forged","body_md":"x","importance":"' value='low"}'></form>`)
  })
  await new Promise((ready) => site.listen(0, '127.0.0.1', ready))
  try {
    const context = await browser.newContext()
    const page = await context.newPage()
    const answers = []
    page.on('response', (answer) => { if (answer.url().startsWith(url)) answers.push(answer.status()) })
    await page.goto(`http://127.0.0.1:${site.address().port}/`)
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'application/json' }]) {
      for (const mode of ['cors', 'no-cors']) {
        const outcome = await page.evaluate(async ([target, given, how]) => {
          try {
            const answer = await fetch(target, { method: 'POST', mode: how, credentials: 'include', headers: given, body: '{"to":["BlueLake"],"subject":"INFO: forged","body_md":"x"}' })
            return answer.status
          } catch {
            return 'blocked'
          }
        }, [`${url}/api/v1/messages`, headers, mode])
        assert.ok(outcome === 'blocked' || outcome === 0 || outcome === 403, `${mode} ${JSON.stringify(headers)}: ${outcome}`)
      }
    }
    const stream = await page.evaluate((target) => new Promise((done) => {
      const source = new EventSource(target)
      source.onopen = () => done('open')
      source.onerror = () => done('refused')
    }), `${url}/api/v1/events`)
    assert.equal(stream, 'refused')
    await Promise.all([page.waitForURL(`${url}/api/v1/messages`), page.evaluate(() => document.getElementById('form').submit())])
    assert.ok(answers.length > 0 && answers.every((status) => status === 403), `the server answered ${answers}`)
    const forged = JSON.parse(await project.run('mail', 'search', 'forged', '--json'))
    assert.equal(forged.count, 0, 'the forged message arrived')
    await context.close()
  } finally {
    site.close()
    site.closeAllConnections()
  }
}
