// Codex speaks JSON-RPC over the pipes of its app-server.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const status = {
  tool: 'brenner_status',
  arguments: {}, // the project may be left out
  look: (answer) => assert.ok(Array.isArray(answer.structuredContent.sessions)),
}

// codexTalk lets Codex list the server's tools and call one. flags stand before its command.
export async function codexTalk(node, codex, options, flags = [], wish = status) {
  const child = spawn(node, [codex, ...flags, 'app-server'], { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise((end) => child.on('close', end))
  const waiting = new Map()
  let last = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  const call = (method, params) => new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`codex does not answer ${method}`)), 30_000)
    waiting.set(++last, (message) => {
      clearTimeout(timer)
      if (message.error) fail(new Error(`${method}: ${JSON.stringify(message.error)}`))
      else done(message.result)
    })
    child.stdin.write(JSON.stringify({ id: last, method, params }) + '\n')
  })
  try {
    await call('initialize', { clientInfo: { name: 'brenner-clients', title: 'brenner', version: '1' } })
    child.stdin.write(JSON.stringify({ method: 'initialized' }) + '\n')
    const { data } = await call('mcpServerStatus/list', {})
    const listed = data.find((server) => server.name === 'brenner')
    assert.ok(listed?.tools?.send_message, 'codex lists no send_message')
    const { thread } = await call('thread/start', { cwd: options.cwd })
    wish.look(await call('mcpServer/tool/call', { threadId: thread.id, server: 'brenner', tool: wish.tool, arguments: wish.arguments }))
    return `${Object.keys(listed.tools).length} tools`
  } finally {
    child.stdin.end()
    child.kill()
    await ended
  }
}
