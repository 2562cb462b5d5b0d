// Connects real MCP clients to `brenner serve` and `brenner mcp`, on loopback and in scratch
// folders, and fails if one of them does not get along. Then the same programs meet a server that
// is broken, and the run fails if one of them does not notice: a check that cannot fail shows
// nothing. No model is called: where a program asks one, a stand-in answers (model.mjs).
//
//   node run.mjs PATH/TO/brenner
import assert from 'node:assert/strict'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { breakDown, finish, run, serve } from './process.mjs'
import { cockpitChecks } from './cockpit.mjs'
import { disputeChecks } from './disputes.mjs'
import { plightChecks } from './plights.mjs'
import { codexTalk } from './codex.mjs'
import { wholeSession, specClient } from './sdk.mjs'
import { scriptChecks } from './scripts.mjs'
import { turnChecks } from './turns.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const modules = join(here, 'node_modules')
const brenner = resolve(process.argv[2] ?? join(here, '../../bin/brenner'))
const scratch = mkdtempSync(join(tmpdir(), 'brenner-clients-'))
const project = join(scratch, 'project')
const home = join(scratch, 'home')
for (const dir of [project, join(home, '.claude'), join(home, '.gemini'), join(home, '.codex')]) mkdirSync(dir, { recursive: true })

// Nobody's own settings are read, and nothing is reported to anybody.
const env = {
  PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, '.codex'), TERM: 'dumb', NO_COLOR: '1',
  DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
}
const options = { cwd: project, env }

// Each program asks its person before it trusts a folder; here that is said in advance.
writeFileSync(join(home, '.claude.json'), JSON.stringify({ projects: { [project]: { hasTrustDialogAccepted: true } } }))
writeFileSync(join(home, '.gemini/settings.json'), '{"security": {"folderTrust": {"enabled": false}}, "privacy": {"usageStatisticsEnabled": false}}')
writeFileSync(join(home, '.codex/config.toml'),
  'model = "none"\nmodel_provider = "nowhere"\n\n[model_providers.nowhere]\nname = "nowhere"\nbase_url = "http://127.0.0.1:9/v1"\n')

let failed = 0
async function check(name, test) {
  const began = Date.now()
  try {
    const told = await test()
    console.log(`ok    ${name} (${Date.now() - began} ms)${told ? ': ' + told : ''}`)
  } catch (error) {
    failed++
    console.log(`FAIL  ${name} (${Date.now() - began} ms)\n${error.stack ?? error}`)
  }
}

// programs are the clients, each with what it does at an address.
function programs(url) {
  const node = process.execPath
  const inspector = [join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js'), '--cli', url, '--transport', 'http']
  const claude = join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, 'claude')
  return {
    'TypeScript SDK over HTTP': () => specClient({ url }, project),
    'inspector: tools/list': async () => {
      const { tools } = JSON.parse(await finish(node, [...inspector, '--method', 'tools/list'], options))
      assert.ok(tools.some((tool) => tool.name === 'send_message'))
      return `${tools.length} tools`
    },
    'inspector: tools/call': async () => {
      const answer = JSON.parse(await finish(node, [...inspector, '--method', 'tools/call', '--tool-name', 'health_check'], options))
      assert.equal((answer.result ?? answer).structuredContent.status, 'ready')
    },
    'claude mcp list': async () => {
      assert.match(await finish(claude, ['mcp', 'list'], options), /brenner: .*Connected/)
    },
    'gemini mcp list': async () => {
      const { stdout, stderr } = await run(node, [join(modules, '@google/gemini-cli/bundle/gemini.js'), 'mcp', 'list'], options)
      assert.match(stdout + stderr, /brenner: .* - Connected/)
    },
    'codex app-server lists and calls': () => codexTalk(node, join(modules, '@openai/codex/bin/codex.js'), options),
    'conformance': async () => {
      const out = await finish(node, [
        join(modules, '@modelcontextprotocol/conformance/dist/index.js'), 'server', '--url', url,
        '--expected-failures', join(here, 'conformance.yml'),
      ], options)
      const expected = readFileSync(join(here, 'conformance.yml'), 'utf8').match(/^ *- /gm)?.length ?? 0
      return `${out.match(/Total: .*/)?.[0]} (${expected} failures expected, each with its reason in conformance.yml)`
    },
  }
}

// connected runs checks while the programs that have settings of their own know an address.
async function connected(url, checks) {
  for (const program of ['claude', 'gemini', 'codex']) {
    await check(`brenner connect ${program}`, async () => {
      await finish(brenner, ['connect', program, '--url', url, '--yes'], options)
    })
  }
  await checks(programs(url))
  for (const program of ['claude', 'gemini', 'codex']) {
    await check(`brenner disconnect ${program}`, () => finish(brenner, ['disconnect', program], options))
  }
}

const server = await serve(brenner, project, env)
try {
  await connected(server.url, async (clients) => {
    for (const [name, test] of Object.entries(clients)) await check(name, test)
    await check('TypeScript SDK over stdio', () => specClient({ command: brenner, args: ['mcp'], cwd: project, env }, project))
    await check('a session over HTTP and stdio while a third waits', () => wholeSession(brenner, server.url, project, env))
  })
  const broken = await breakDown()
  await connected(broken.url, async (clients) => {
    for (const [name, test] of Object.entries(clients)) {
      await check(`${name} notices a broken server`, () => assert.rejects(test))
    }
  })
  await broken.stop()
  await cockpitChecks({ brenner, modules, env, check, dir: join(scratch, 'cockpit') })
  await scriptChecks({ brenner, modules, env, check, dir: join(scratch, 'scripts') })
  await turnChecks({ brenner, modules, env, check, dir: join(scratch, 'turns') })
  await disputeChecks({ brenner, modules, env, check, dir: join(scratch, 'disputes') })
  await plightChecks({ brenner, modules, env, check, dir: join(scratch, 'plights') })
} finally {
  await check('brenner serve stops', () => server.stop())
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(failed ? 1 : 0)
