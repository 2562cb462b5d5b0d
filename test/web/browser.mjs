// Debian's Chromium, watched: whatever a page does that it must not do is collected and fails the test.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const program = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

export const desktop = { width: 1280, height: 900 }
export const phone = { width: 390, height: 844 }

export function launch() {
  assert.ok(program, 'there is no Chromium; on Debian: apt install chromium')
  return chromium.launch({
    executablePath: program, headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}

// opened collects the contexts of a test, so that they can be shown and closed.
export const opened = new AsyncLocalStorage()

// visitor opens a context in which nothing goes unseen. expected are console errors that a test provokes:
// a browser reports every failed request there.
export async function visitor(browser, url, { viewport = desktop, expected = [], ...options } = {}) {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options })
  opened.getStore()?.push(context)
  const host = new URL(url).host
  const seen = []
  context.setDefaultTimeout(10_000)
  await context.route(() => true, (route) => {
    const asked = new URL(route.request().url())
    if (asked.host === host || asked.protocol === 'data:' || asked.protocol === 'blob:') return route.continue()
    seen.push(`a request to ${asked.href}`)
    return route.abort()
  })
  await context.addInitScript(() => {
    globalThis.violations = []
    document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`))
  })
  context.on('page', (page) => {
    page.on('console', (line) => {
      if (line.type() === 'error' && !expected.some((pattern) => pattern.test(line.text()))) seen.push(`console: ${line.text()} (${line.location().url})`)
    })
    page.on('pageerror', (error) => seen.push(`uncaught: ${error.stack ?? error}`))
    page.on('dialog', (dialog) => {
      seen.push(`a dialog: ${dialog.message()}`)
      dialog.dismiss().catch(() => {})
    })
  })
  const page = await context.newPage()
  return {
    context, page,
    go: async (path) => {
      const answer = await page.goto(url + path, { waitUntil: 'load' })
      return answer
    },
    // innocent fails if anything was seen, and forgets it.
    innocent: async () => {
      const violations = await page.evaluate(() => globalThis.violations ?? []).catch(() => [])
      const all = [...seen.splice(0), ...violations.map((violation) => `CSP: ${violation}`)]
      assert.deepEqual(all, [], `on ${page.url()}`)
    },
    close: () => context.close(),
  }
}

// problems is what axe-core has against the page as it is. Between colour schemes only colours differ: after the first, look at
// those alone.
export async function problems(page, { colours = false, within = undefined } = {}) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const rules = colours ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: true } } }
  const { violations } = await page.evaluate(([place, chosen]) => globalThis.axe.run(place ?? document, { resultTypes: ['violations'], ...chosen }), [within, rules])
  return violations.map((violation) => `${violation.id}: ${violation.help}\n    ${violation.nodes.slice(0, 4).map((node) => `${node.target.join(' ')}: ${node.any.concat(node.all, node.none).map((check) => check.message).join('; ')}`).join('\n    ')}`)
}

// overflow is what sticks out of the page to the right.
export function overflow(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    const out = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > width + 1)
    return out.slice(0, 5).map((element) => `${element.tagName.toLowerCase()}.${element.className}: ${Math.round(element.getBoundingClientRect().right)} of ${width}`)
  })
}

// until waits for something to become true, without a fixed time.
export async function until(what, test, patience = 10_000) {
  const end = Date.now() + patience
  for (;;) {
    if (await test()) return
    if (Date.now() > end) assert.fail(`waited in vain: ${what}`)
    await new Promise((again) => setTimeout(again, 50))
  }
}
