// What everyone does and what waits, as programs of this machine make it; a gate that the page answers.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { overflow, phone, until, visitor } from '../browser.mjs'
import { finish, serve } from '../process.mjs'

const thread = 'RS-20260110-turning-tide'
const delta = '```delta\n{"operation": "ADD", "section": "anomaly_register", "payload": {"name": "n", "observation": "o", "conflicts_with": ["H1"], "status": "active"}, "rationale": "r"}\n```\n'

export async function checks(check, world) {
  await check('now: a gate is answered from the page', async () => {
    const dir = join(world.scratch, 'gate')
    mkdirSync(dir)
    writeFileSync(join(dir, 'brenner.config.json'), JSON.stringify({ agents: { brief: { headless: ['sh', 'brief.sh'] } } }))
    writeFileSync(join(dir, 'brief.sh'), 'cat delta.md; printf "\\033[2J<img src=x onerror=alert(1)>\\n" >&2\n')
    writeFileSync(join(dir, 'delta.md'), delta)
    const run = (...args) => finish(world.brenner, [...args, '--project', dir], { env: world.env, cwd: dir })
    await run('mail', 'register', 'BlueLake', '--program', 'brief', '--model', 'gpt')
    await run('session', 'start', '--question', 'Why does the tide turn?', '--context', 'Notes.', '--to', 'BlueLake', '--thread', thread, '--quiet')
    await run('trust', '--yes')
    await run('run', thread, '--rounds', '3', '--gate').then(() => assert.fail('the gate let it pass'), (error) => assert.match(error.message, /ended with 7/))
    const server = await serve(world.brenner, dir, world.env, '--lab')
    try {
      const me = await visitor(world.browser, server.url)
      await me.go('/now')
      const card = me.page.locator('.wl .card', { hasText: 'Round 2 may begin' })
      await card.waitFor()
      assert.ok(await me.page.locator('.ag').filter({ hasText: 'BlueLake' }).isVisible())
      assert.equal(await me.page.locator('main img').count(), 0, 'text of a program became an element')
      await card.getByRole('link').click()
      await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
      await me.page.locator('#drawer').getByRole('button', { name: 'Play round 2' }).click()
      await until('the word is on the thread', async () => (await run('mail', 'search', 'Go on with the run', '--json')).includes('INFO: Go on with the run'))
      await me.innocent()
      const small = await visitor(world.browser, server.url, { viewport: phone })
      await small.go('/now')
      assert.deepEqual(await overflow(small.page), [])
      await run('run', thread, '--rounds', '3', '--gate', '--json').catch((error) => assert.match(error.message, /"rounds":\[\{"round":1.*\{"round":2/s))
    } finally {
      await server.stop()
    }
  })
}
