// Takes the pictures of the README: a project as the tests have it, at the width of a desk and of a phone.
//
//   node screenshots.mjs PATH/TO/brenner FOLDER
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { desktop, launch, phone, visitor } from './browser.mjs'
import { takeAttention } from './attention.mjs'
import { takeHero } from './hero.mjs'
import { largeThread, makeLarge } from './large.mjs'
import { makeMeasured, measuredThread } from './measured.mjs'
import { makeProject, work } from './project.mjs'
import { serve } from './process.mjs'

const brenner = resolve(process.argv[2])
const folder = resolve(process.argv[3])
const scratch = mkdtempSync(join(tmpdir(), 'brenner-pictures-'))
const env = { PATH: process.env.PATH, HOME: join(scratch, 'home'), TERM: 'dumb', NO_COLOR: '1', TZ: 'UTC' }
for (const dir of [folder, join(scratch, 'home'), join(scratch, 'project'), join(scratch, 'large'), join(scratch, 'measured')]) mkdirSync(dir, { recursive: true })

function pictures(project) {
  return {
    sessions: '/',
    map: `/t/${project.demo}/map`,
    artifact: `/t/${project.demo}/v/2`,
    diff: `/t/${project.demo}/diff?from=1&to=2`,
    genealogy: '/genealogy',
    start: '/start',
    inbox: '/inbox/Operator',
  }
}

// fillIn writes what begins a session, up to where its preview shows.
async function fillIn(page) {
  await page.locator('#question').fill('Why do the moved cells stop dividing?')
  await page.locator('#context').fill('They stop after two divisions. Unmoved cells go on for a week.')
  await page.locator('#preset').selectOption({ index: 1 })
  const names = page.locator('[name="roster.entries[].agentName"]')
  for (const [i, name] of ['BlueLake', 'PurpleMountain', 'RedSky'].entries()) await names.nth(i).fill(name)
  await page.locator('[data-preview]').getByText('KICKOFF: Why do').first().waitFor()
  await page.evaluate(() => scrollTo(0, 0))
}

// takeLarge takes the parts of a large session that a small one does not show.
async function takeLarge(browser, brenner) {
  const project = await makeLarge(brenner, join(scratch, 'large'), env)
  const server = await serve(brenner, project.dir, env, '--lab')
  try {
    const me = await visitor(browser, server.url, { viewport: { width: 1440, height: 900 } })
    await me.go(`/t/${largeThread}`)
    for (const part of ['life', 'matrix']) {
      await me.page.setViewportSize({ width: 1440, height: 1400 }) // so that the head hides nothing
      await me.page.locator(`#${part}`).evaluate((section) => scrollTo(0, section.getBoundingClientRect().top + scrollY - 90))
      await me.page.locator(`#${part}`).screenshot({ path: join(folder, `large-${part}.png`) })
    }
    await me.close()
    await take(browser, server.url, 'session-desktop', `/t/${largeThread}`, { viewport: { width: 1280, height: 1080 } })
    await take(browser, server.url, 'session-phone', `/t/${largeThread}`, { viewport: phone, isMobile: true, hasTouch: true })
  } finally {
    await server.stop()
  }
}

// takeMeasured takes a question that numbers decide, and the picture at the head of the README from its page.
async function takeMeasured(browser, brenner) {
  const project = await makeMeasured(brenner, join(scratch, 'measured'), env)
  const server = await serve(brenner, project.dir, env, '--lab')
  try {
    const me = await visitor(browser, server.url, { viewport: { width: 1600, height: 900 } })
    await me.go(`/t/${measuredThread}`)
    await me.page.locator('html[data-js]').waitFor()
    await takeHero(me.page, join(folder, 'hero.png'))
    await me.innocent()
    await me.close()
    await take(browser, server.url, 'measured-desktop', `/t/${measuredThread}`, { viewport: desktop })
  } finally {
    await server.stop()
  }
}

async function take(browser, url, name, path, options) {
  const me = await visitor(browser, url, options)
  await me.go(path)
  await me.page.locator('html[data-js]').waitFor()
  if (path === '/start') await fillIn(me.page)
  // Where the project lies on this machine is nobody's business.
  await me.page.locator('footer span').first().evaluate((place) => { place.textContent = '/srv/cells' })
  await me.page.screenshot({ path: join(folder, `${name}.png`) })
  await me.innocent()
  await me.close()
}

// liven has the agents of the demo, whose programs have ended, go on by other means. What is heard of them counts once
// it is later than clocks may differ.
async function liven(project) {
  await new Promise((later) => setTimeout(later, 6000))
  const { pending } = JSON.parse(await project.run('acks', '--thread', work, '--json'))
  for (const agent of ['BlueLake', 'PurpleMountain']) {
    await project.run('mail', 'ack', String(pending.find((ack) => ack.agent === agent).message_id), '--as', agent)
  }
  await project.send('RedSky', 'QUESTION: Which dish?', '# Question\n\n## Question\n\nWhich dish holds the forty cells?\n')
}

let server
let browser
try {
  const project = await makeProject(brenner, join(scratch, 'project'), env)
  await liven(project)
  server = await serve(brenner, project.dir, env, '--lab')
  browser = await launch()
  for (const [name, path] of Object.entries(pictures(project))) {
    await take(browser, server.url, `${name}-desktop`, path, { viewport: desktop })
    await take(browser, server.url, `${name}-phone`, path, { viewport: phone, isMobile: true, hasTouch: true })
  }
  await takeMeasured(browser, brenner)
  await takeLarge(browser, brenner)
  await takeAttention(browser, brenner, join(scratch, 'attention'), env, folder)
  await take(browser, server.url, 'artifact-dark', `/t/${project.demo}/v/2`, { viewport: desktop, colorScheme: 'dark' })
} finally {
  await browser?.close()
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
}
