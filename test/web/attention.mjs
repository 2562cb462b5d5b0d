// The pictures of the operator's guide: a run in which one agent asks for consent, the service of another does not know it, and a third
// is at work. Scripted agents of the Agent Client Protocol play them; what is shown is what the page and the terminal show.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until, visitor } from './browser.mjs'
import { finish, serve } from './process.mjs'

const thread = 'RS-20260110-fireflies'
const acts = {
  BlueLake: { asks: 'python3 fit.py --data flashes.csv' },
  GreenHill: { signed_out: true },
  GrayOwl: { answers: 600, tokens: 900, pace: '300ms', dollars: 0.012 },
}
const roles = ['hypothesis_generator', 'test_designer', 'adversarial_critic']

export async function takeAttention(browser, brenner, dir, env, folder) {
  mkdirSync(dir, { recursive: true })
  const roster = Object.entries(acts).map(([agentName, act], i) => {
    writeFileSync(join(dir, `${agentName}.json`), JSON.stringify({ acp: act }))
    return { agentName, role: roles[i], program: 'lab-agent', model: ['gpt-5.2', 'opus', 'gemini-2.5-pro'][i] }
  })
  writeFileSync(join(dir, 'brenner.config.json'), JSON.stringify({ agents: { 'lab-agent': { acp: [brenner, 'scripted-agent', '--acp', '--script', '{agent}.json'] } } }))
  const options = { cwd: dir, env }
  const say = (...args) => finish(brenner, args, options)
  await say('trust', '--yes')
  await say('session', 'start', '--thread', thread, '--roster', JSON.stringify(roster), '--question', 'Why do fireflies flash together?', '--context', 'Two swamps.')
  const run = spawn(brenner, ['run', thread, '--rounds', '1', '--consent', '10m'], { ...options, stdio: 'ignore' })
  const ended = new Promise((end) => run.on('close', end))
  const server = await serve(brenner, dir, env, '--lab')
  try {
    const states = async () => JSON.parse(await say('ps', thread, '--json')).agents.map((agent) => agent.state)
    await until('everybody where the picture wants them', async () => { const all = await states(); return all.includes('asks') && all.includes('signed_out') && all.includes('working') })
    const me = await visitor(browser, server.url, { viewport: { width: 1280, height: 760 } })
    await me.go('/now')
    await me.page.locator('footer span').first().evaluate((place) => { place.textContent = '/srv/fireflies' })
    await me.page.screenshot({ path: join(folder, 'attention-now.png') })
    const shown = []
    for (const words of [['ps', thread], ['todo', thread], ['nudge', thread, 'BlueLake', '--key', '1']]) {
      shown.push(`$ brenner ${words.join(' ')}\n${(await say(...words)).replaceAll(dir, '/srv/fireflies').trimEnd()}`)
    }
    await me.close()
    const page = await browser.newPage({ viewport: { width: 1280, height: 400 } })
    await page.setContent('<pre style="margin:0;padding:18px 22px;background:#16181d;color:#e6e6e6;font:14px/20px monospace;white-space:pre-wrap"></pre>')
    await page.locator('pre').evaluate((pre, text) => { pre.textContent = text }, shown.join('\n\n'))
    await page.locator('pre').screenshot({ path: join(folder, 'attention-terminal.png') })
    await page.close()
  } finally {
    await say('run', thread, '--stop').catch(() => undefined)
    await ended
    await server.stop()
  }
}
