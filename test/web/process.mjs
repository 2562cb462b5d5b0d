// Programs that are started, waited for and ended.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const patience = 60_000

// finish runs a program that has to succeed and returns what it printed. input goes to its stdin.
export function finish(command, args, { input, ...options } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'], timeout: patience })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data) => { stdout += data })
    child.stderr.on('data', (data) => { stderr += data })
    child.on('error', fail)
    child.on('close', (code, signal) => {
      if (code === 0) done(stdout)
      else fail(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}\n${stdout}${stderr}`))
    })
    child.stdin.on('error', () => {}) // it ended without reading
    child.stdin.end(input ?? '')
  })
}

// serve starts the server of a project on a free port and waits until it says where it listens.
export function serve(brenner, project, env, ...flags) {
  return new Promise((done, fail) => {
    const child = spawn(brenner, ['serve', '--addr', '127.0.0.1:0', '--json', '--project', project, ...flags], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((end) => child.on('close', end))
    child.on('error', fail)
    ended.then((code) => fail(new Error(`the server ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', (line) => {
      done({
        url: new URL(JSON.parse(line).url).origin,
        stop: async () => {
          child.kill('SIGTERM')
          const code = await ended
          if (code !== 0) throw new Error(`the server ended with ${code}`)
        },
      })
    })
  })
}
