// The web app in a real browser: each page, reading without JavaScript, live updates from another process, writing in
// lab mode, the keyboard, accessibility, hostile content, and what must be refused.
//
//   node run.mjs PATH/TO/brenner [name of a check…]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch, opened } from './browser.mjs'
import { makeProject } from './project.mjs'
import { makeHostile } from './hostile.mjs'
import { makeLarge } from './large.mjs'
import { makeMeasured } from './measured.mjs'
import { serve } from './process.mjs'
import * as reading from './checks/reading.mjs'
import * as acting from './checks/acting.mjs'
import * as accessible from './checks/accessible.mjs'
import * as keyboard from './checks/keyboard.mjs'
import * as hostile from './checks/hostile.mjs'
import * as locked from './checks/locked.mjs'
import * as panel from './checks/panel.mjs'
import * as papers from './checks/papers.mjs'
import * as defects from './checks/defects.mjs'
import * as document from './checks/document.mjs'
import * as evidence from './checks/evidence.mjs'
import * as large from './checks/large.mjs'
import * as measured from './checks/measured.mjs'
import * as live from './checks/live.mjs'
import * as operator from './checks/operator.mjs'
import * as science from './checks/science.mjs'
import * as shell from './checks/shell.mjs'
import * as signin from './checks/signin.mjs'
import * as writing from './checks/writing.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const brenner = resolve(process.argv[2] ?? join(here, '../../bin/brenner'))
const wanted = process.argv.slice(3)
const results = join(here, 'results')
const scratch = mkdtempSync(join(tmpdir(), 'brenner-web-'))
const env = {
  PATH: process.env.PATH, HOME: join(scratch, 'home'), TERM: 'dumb', NO_COLOR: '1', TZ: 'UTC',
  GIT_AUTHOR_NAME: 'op', GIT_AUTHOR_EMAIL: 'op@example.org', GIT_COMMITTER_NAME: 'op', GIT_COMMITTER_EMAIL: 'op@example.org',
}
for (const name of ['home', 'project', 'hostile', 'large', 'measured']) mkdirSync(join(scratch, name))
rmSync(results, { recursive: true, force: true })

let failed = 0
let ran = 0
// check runs one test. What it opened on the way is shown if it failed, and closed.
async function check(name, test) {
  if (wanted.length && !wanted.some((word) => name.includes(word))) return
  const began = Date.now()
  const contexts = []
  ran++
  try {
    const told = await opened.run(contexts, test)
    console.log(`ok    ${name} (${Date.now() - began} ms)${told ? ': ' + told : ''}`)
  } catch (error) {
    failed++
    console.log(`FAIL  ${name} (${Date.now() - began} ms)\n${error.stack ?? error}`)
    await keepScreens(contexts, name)
  } finally {
    await Promise.all(contexts.map((context) => context.close()))
  }
}

// keepScreens leaves a picture of what a failed test saw.
async function keepScreens(contexts, name) {
  mkdirSync(results, { recursive: true })
  let number = 0
  for (const page of contexts.flatMap((context) => context.pages())) {
    await page.screenshot({ path: join(results, `${name.replace(/\W+/g, '-')}-${++number}.png`) }).catch(() => {})
  }
}

const world = { brenner, env, scratch, stops: [] }
try {
  const makers = { project: makeProject, hostile: makeHostile, large: makeLarge, measured: makeMeasured }
  await Promise.all(Object.entries(makers).map(async ([name, make]) => { world[name] = await make(brenner, join(scratch, name), env) }))
  const start = async (dir, ...flags) => {
    const server = await serve(brenner, dir, env, ...flags)
    world.stops.push(server.stop)
    return server.url
  }
  world.url = await start(world.project.dir, '--lab')
  world.lockedURL = await start(world.project.dir)
  world.hostileURL = await start(world.hostile.dir, '--lab')
  world.largeURL = await start(world.large.dir, '--lab')
  world.measuredURL = await start(world.measured.dir, '--lab')
  world.browser = await launch()
  // What only reads goes side by side; what writes comes last and in its order.
  await Promise.all([[reading, keyboard], [hostile, locked, document, papers, evidence], [accessible, defects], [science, large], [measured], [acting, panel, shell]].map(async (parts) => {
    for (const part of parts) await part.checks(check, world)
  }))
  await science.changes(check, world)
  for (const part of [operator, live, signin, writing]) await part.checks(check, world)
  await evidence.writes(check, world)
  await acting.writes(check, world)
} catch (error) {
  failed++
  console.log(`FAIL  ${error.stack ?? error}`)
} finally {
  await world.browser?.close()
  for (const stop of world.stops) await stop().catch((error) => { failed++; console.log(`FAIL  ${error.message}`) })
  rmSync(scratch, { recursive: true, force: true })
}
console.log(failed ? `${failed} of ${ran} checks failed; pictures are in test/web/results` : `${ran} checks passed`)
process.exitCode = failed || !ran ? 1 : 0
