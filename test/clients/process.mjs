// Programs that are started, waited for and ended.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const patience = 60_000

// run starts a program and waits for its end.
export function run(command, args, options) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: patience })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data) => { stdout += data })
    child.stderr.on('data', (data) => { stderr += data })
    child.on('error', fail)
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }))
  })
}

// finish is run for a program that has to succeed; it returns what that printed.
export async function finish(command, args, options) {
  const { code, signal, stdout, stderr } = await run(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}\n${stdout}${stderr}`)
  return stdout
}

// serve starts the server and waits until it says where it listens.
export function serve(brenner, project, env) {
  return new Promise((done, fail) => {
    const child = spawn(brenner, ['serve', '--addr', '127.0.0.1:0', '--json', '--project', project], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((end) => child.on('close', end))
    child.on('error', fail)
    createInterface({ input: child.stdout }).once('line', (line) => {
      done({
        url: JSON.parse(line).url,
        stop: async () => {
          child.kill('SIGTERM')
          const code = await ended
          if (code !== 0) throw new Error(`the server ended with ${code}`)
        },
      })
    })
  })
}

// breakDown starts a server that answers every message with an error.
export function breakDown() {
  const web = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(500, { 'Content-Type': 'application/json' })
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"broken"}}')
    })
  })
  return new Promise((done, fail) => {
    web.on('error', fail)
    web.listen(0, '127.0.0.1', () => done({
      url: `http://127.0.0.1:${web.address().port}/mcp/`,
      stop: () => new Promise((end) => { web.close(end); web.closeAllConnections() }),
    }))
  })
}
