// Hostile texts are texts: nothing runs, nothing is fetched, nothing is hidden, on any page.
import assert from 'node:assert/strict'
import { overflow, phone, visitor } from '../browser.mjs'
import { hostileThread } from '../hostile.mjs'

export async function checks(check, world) {
  const { browser, hostileURL, hostile } = world
  const messages = JSON.parse(await hostile.run('thread', 'show', hostileThread, '--json')).messages
  const threads = JSON.parse(await hostile.run('thread', 'list', '--json')).threads.map((thread) => thread.thread_id)
  const senders = new Set(JSON.parse(await hostile.run('mail', 'agents', '--json')).agents.map((agent) => agent.name))
  const paths = [
    '/', '/search?q=harmed', `/search?q=${encodeURIComponent('"><script>window.harmed=1</script>')}`, '/start', `/start?thread=${hostileThread}`, '/genealogy', '/inbox', '/compose',
    `/compose?thread=${encodeURIComponent('"><img src=x onerror=window.harmed=1>')}&to=${encodeURIComponent('<b>')}&type=DELTA`,
    ...threads.map((thread) => `/t/${encodeURIComponent(thread)}`), ...[...senders].map((name) => `/inbox/${encodeURIComponent(name)}`),
    `/t/${hostileThread}/v/1`, `/t/${hostileThread}/v/2`, `/t/${hostileThread}/draft`, `/t/${hostileThread}/diff?from=1&to=2`, `/t/${hostileThread}/diff?from=0&to=2`, `/t/${hostileThread}/diagnose`, `/t/${hostileThread}/map?all=1`,
    ...messages.map((message) => `/m/${message.id}`), `/t/${encodeURIComponent('<script>window.harmed=1</script>')}`,
  ]
  await check('hostile: nothing runs on any page', async () => {
    const me = await visitor(browser, hostileURL, { expected: [/status of 404/] })
    for (const path of paths) {
      await me.go(path)
      await inert(me, path)
    }
    return `${paths.length} pages`
  })
  await check('hostile: nothing runs at phone width, opened and touched', async () => {
    const me = await visitor(browser, hostileURL, { viewport: phone, isMobile: true, hasTouch: true, expected: [/status of 404/] })
    for (const path of paths) {
      await me.go(path)
      await me.page.locator('main details').evaluateAll((all) => all.forEach((details) => { details.open = true }))
      await inert(me, path)
      assert.deepEqual(await overflow(me.page), [], `${path} is wider than the phone`)
    }
  })
  await check('hostile: the palette, the preview and validation show texts as texts', async () => {
    const me = await visitor(browser, hostileURL)
    await me.go(`/t/${hostileThread}`)
    await me.page.locator('[data-live]').filter({ hasText: 'live' }).waitFor()
    await me.page.keyboard.press('Control+k')
    const answered = me.page.waitForResponse((answer) => answer.url().includes('/palette?q=script'))
    await me.page.keyboard.type('script')
    await answered
    await me.page.locator('#palette-list [role=option]').nth(2).waitFor()
    await inert(me, 'palette')
    await me.page.keyboard.press('Escape')
    await me.page.getByRole('button', { name: /^Preview v/ }).click()
    await me.page.locator('[data-preview]').locator('*').first().waitFor()
    await inert(me, 'preview')
    await me.go('/compose')
    await me.page.locator('#to').fill('<img/src=x/onerror=window.harmed=1>')
    await me.page.locator('#subject').fill('<script>window.harmed=1</script>')
    await me.page.locator('#body').fill('```delta\n{"operation":"<img src=x onerror=window.harmed=1>"}\n```')
    await me.page.locator('.finding, [data-note]').first().waitFor()
    await inert(me, 'validation')
    await me.go('/start')
    await me.page.locator('#question').fill('</textarea><img src=x onerror=window.harmed=1>')
    await me.page.locator('#context').fill('<script>window.harmed=1</script>')
    await me.page.locator('[data-status]').filter({ hasText: /problem|object/ }).waitFor()
    await inert(me, 'start')
  })
}

// inert looks for anything that ran, could run, leads away or hides what is around it.
async function inert(me, where) {
  const found = await me.page.evaluate(async (host) => {
    const list = []
    const sent = new DOMParser().parseFromString(await fetch(location.href).then((answer) => answer.text()), 'text/html')
    for (const element of sent.querySelectorAll('[style], [srcdoc]')) list.push(`${element.tagName} was sent with a style`) // scripts of ours may set some
    if (globalThis.harmed) list.push(`ran: ${JSON.stringify(globalThis.harmed)}`)
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) list.push(`${element.tagName} has ${name}`)
        if (['href', 'src', 'action', 'formaction', 'xlink:href'].includes(name) && !element.matches('link, script')) {
          const address = new URL(value, document.baseURI)
          if (!['http:', 'https:'].includes(address.protocol) && !(element.matches('img') && address.protocol === 'data:')) list.push(`${element.tagName} leads to ${value.slice(0, 80)}`)
          else if (address.host !== host && !(element.matches('a') && /noopener|noreferrer/.test(element.rel))) list.push(`${element.tagName} leads to ${value.slice(0, 80)}`)
        }
      }
    }
    for (const element of document.querySelectorAll('main script, main style, main iframe, main object, main embed, main base, main meta, main link')) list.push(`${element.tagName} in the text`)
    if (document.querySelectorAll('base').length) list.push('a base')
    if (getComputedStyle(document.querySelector('h1') ?? document.body).display === 'none') list.push('the heading is hidden')
    return list.slice(0, 10)
  }, new URL(me.page.url()).host)
  assert.deepEqual(found, [], where)
  await me.innocent()
}
