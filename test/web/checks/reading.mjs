// What is on the pages, with and without JavaScript, on paper, and how much of it is sent.
import assert from 'node:assert/strict'
import { overflow, phone, visitor } from '../browser.mjs'
import { pages } from '../pages.mjs'
import { work } from '../project.mjs'

export async function checks(check, world) {
  const { browser, url, project } = world
  for (const page of pages(project)) {
    await check(`page ${page.name}`, async () => {
      const me = await visitor(browser, url, page.status ? { expected: [/status of 404/] } : {})
      await shown(me, page)
      await me.innocent()
    })
    await check(`page ${page.name} without JavaScript`, async () => {
      const me = await visitor(browser, url, { javaScriptEnabled: false, expected: page.status ? [/status of 404/] : [] })
      await shown(me, page)
      assert.equal(await me.page.locator('.needs-js:visible').count(), 0, 'controls that do nothing without JavaScript are shown')
    })
    await check(`page ${page.name} at phone width`, async () => {
      const me = await visitor(browser, url, { viewport: phone, isMobile: true, hasTouch: true, expected: page.status ? [/status of 404/] : [] })
      await shown(me, page, unfold)
      assert.deepEqual(await overflow(me.page), [], 'it is wider than the phone')
      await me.innocent()
    })
  }

  await check('links lead somewhere', () => links(browser, url, project))
  await check('the artifact names who wrote a field', () => provenance(browser, url, project))
  await check('items have addresses', () => deepLinks(browser, url, project))
  await check('paper', () => paper(browser, url, project))
  await check('the first page is small', () => weight(browser, url))
  await check('headers of every answer', () => headers(url, project))
}

// unfold opens what a phone folds away.
async function unfold(page) {
  const folded = page.locator('.folded .unfold')
  while (await folded.count()) await folded.first().click()
}

async function shown(me, { path, shows, status = 200 }, before = () => {}) {
  const answer = await me.go(path)
  await before(me.page)
  assert.equal(answer.status(), status)
  assert.equal(await me.page.locator('h1').count(), 1, 'one heading of the first rank')
  const text = await me.page.locator('main').innerText()
  for (const words of shows) assert.ok(text.includes(words), `${path} does not show ${words}`)
  assert.ok(!/undefined|\[object|%!|<no value>|ZgotmplZ/.test(text), `something was not filled in: ${text.match(/.{0,40}(undefined|\[object|%!|<no value>|ZgotmplZ).{0,40}/)?.[0]}`)
}

// links follows every address that the pages name, inside the server.
async function links(browser, url, project) {
  const me = await visitor(browser, url, { javaScriptEnabled: false })
  const found = new Map()
  for (const { path, status } of pages(project)) {
    if (status) continue
    await me.go(path)
    for (const href of await me.page.locator('a[href]').evaluateAll((all) => all.map((link) => new URL(link.getAttribute('href'), document.baseURI).href))) {
      if (!found.has(href)) found.set(href, path)
    }
  }
  const checked = new Map()
  for (const [href, from] of found) {
    const target = new URL(href)
    assert.equal(target.origin, url, `${from} links to ${href}`)
    const address = target.pathname + target.search
    if (!checked.has(address)) checked.set(address, await fetch(url + address, { headers: { accept: 'text/html' } }).then(async (answer) => ({ status: answer.status, text: await answer.text() })))
    const { status, text } = checked.get(address)
    assert.equal(status, 200, `${from} links to ${address}, which answers ${status}`)
    const place = decodeURIComponent(target.hash.slice(1))
    if (place) assert.ok(new RegExp(`id="${place.replace(/[^\w-]/g, '.')}"`).test(text), `${from} links to ${address}${target.hash}, and there is no such place`)
  }
  return `${checked.size} addresses`
}

async function provenance(browser, url, project) {
  const me = await visitor(browser, url)
  await me.go(`/t/${project.demo}/v/2`)
  const text = await me.page.locator('main').evaluate((main) => main.textContent)
  assert.ok(text.includes('BlueLake'), 'who wrote a field stands nowhere')
  await me.innocent()
}

async function deepLinks(browser, url, project) {
  const me = await visitor(browser, url)
  await me.go(`/t/${project.demo}/v/2#H2`)
  const box = await me.page.locator('#H2').boundingBox()
  assert.ok(box && box.y > -50 && box.y < 900, `H2 is not in sight: ${JSON.stringify(box)}`)
  await me.innocent()
}

// paper: what only serves a screen is not printed, and nothing is cut off at the side.
async function paper(browser, url, project) {
  const me = await visitor(browser, url, { viewport: { width: 800, height: 1100 } })
  for (const path of [`/t/${project.demo}/v/2`, `/t/${work}`]) {
    await me.go(path)
    await me.page.emulateMedia({ media: 'print' })
    for (const part of ['header.bar', 'footer.foot', 'button', 'main form']) {
      assert.equal(await me.page.locator(`${part}:visible`).count(), 0, `${path}: ${part} is printed`)
    }
    assert.ok((await me.page.locator('h1').boundingBox()).y < 300, 'the title stands far down the page')
    assert.deepEqual(await overflow(me.page), [])
    await me.page.emulateMedia({ media: 'screen' })
  }
  await me.innocent()
}

// weight is what the first page makes a browser fetch, over the wire and with an empty cache.
async function weight(browser, url) {
  const me = await visitor(browser, url)
  const session = await me.context.newCDPSession(me.page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', (event) => { bytes += event.encodedDataLength })
  await me.go('/')
  await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
  assert.ok(bytes > 1000 && bytes < 300_000, `${bytes} bytes`)
  await me.innocent()
  return `${Math.round(bytes / 1000)} kB`
}

async function headers(url, project) {
  for (const { path } of pages(project)) {
    const answer = await fetch(url + path, { headers: { accept: 'text/html' } })
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/, path)
    assert.match(policy, /script-src 'self'(;|$)/, path)
    assert.match(policy, /style-src 'self'(;|$)/, path)
    assert.doesNotMatch(policy, /unsafe/, path)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path)
    const text = await answer.text()
    assert.doesNotMatch(text, /<script(?![^>]*\ssrc=)[^>]*>/, `${path} has a script inside`)
    assert.doesNotMatch(text, /<[^>]+\s(style|on\w+)=/, `${path} has a style or a handler inside`)
  }
}
