// Holds the command lines of `brenner cockpit` and `brenner run` to the real programs: every flag is
// one that the program knows, its values too, and the MCP settings in exactly that form are taken and
// connect. What a program would ask a model goes to a port where nobody listens.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { codexTalk } from './codex.mjs'
import { finish, run } from './process.mjs'

const thread = 'RS-20260103-real-programs'
const roster = [
  { agentName: 'BlueLake', role: 'hypothesis_generator', program: 'codex-cli', model: 'GPT-5.2' },
  { agentName: 'GreenHill', role: 'test_designer', program: 'claude-code', model: 'Opus 4.5' },
  { agentName: 'GrayOwl', role: 'adversarial_critic', program: 'gemini-cli', model: 'gemini-2.5-pro' },
]
const nowhere = 'http://127.0.0.1:9'

export async function cockpitChecks({ brenner, modules, env: outer, check, dir }) {
  // A home without settings: each program is as it is after it was installed.
  const home = join(dir, 'home')
  const project = join(dir, "it's a project; $(x)")
  for (const folder of [project, join(home, '.codex')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(home, '.codex/config.toml'),
    `model = "none"\nmodel_provider = "nowhere"\n\n[model_providers.nowhere]\nname = "nowhere"\nbase_url = "${nowhere}/v1"\n`)
  const env = { ...outer, HOME: home, CODEX_HOME: join(home, '.codex'), ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: nowhere }
  const node = process.execPath
  const real = { // what the first word of a command stands for
    claude: [join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, 'claude')],
    codex: [node, join(modules, '@openai/codex/bin/codex.js')],
    gemini: [node, join(modules, '@google/gemini-cli/bundle/gemini.js')],
  }
  const options = { cwd: project, env }
  const plans = {}

  await check('cockpit: commands for the real programs', async () => {
    await finish(brenner, ['session', 'start', '--thread', thread, '--roster', JSON.stringify(roster), '--question', 'Do cells remember?', '--context', 'Two fates.'], options)
    const plan = async (...flags) => JSON.parse(await finish(brenner, ['cockpit', 'start', thread, '--dry-run', '--json', ...flags], options)).panes
    for (const [mode, panes] of [['terminal', await plan()], ['headless', await plan('--headless')]]) {
      for (const pane of panes) plans[`${pane.program} ${mode}`] = pane
      for (const file of panes.flatMap((pane) => pane.files)) {
        mkdirSync(dirname(file.path), { recursive: true, mode: 0o700 })
        writeFileSync(file.path, file.text, { mode: 0o600 })
      }
    }
    assert.equal(Object.keys(plans).length, 6)
  })

  const pages = {}
  for (const [name, pane] of Object.entries(plans)) {
    await check(`cockpit: ${name}: every flag is known`, async () => {
      const [program, ...before] = real[pane.args[0]]
      const command = pane.args[1] === 'exec' ? ['exec'] : []
      const { stdout, stderr } = await (pages[[program, ...before, ...command]] ??= run(program, [...before, ...command, '--help'], options))
      const help = stdout + stderr
      const flags = flagsOf(pane.args)
      assert.ok(flags.length > 0)
      for (const [flag, value] of flags) assert.ok(mentions(help, flag) && (value === undefined || help.includes(value)), `${flag} ${value ?? ''} is not in the help`)
      assert.ok(!mentions(help, '--no-such-flag'))
      return flags.map(([flag]) => flag).join(' ')
    })
  }

  const inside = (pane) => ({ cwd: pane.dir, env: { ...env, ...Object.fromEntries(pane.env.map((v) => v.split(/=(.*)/s, 2))) } })
  for (const mode of ['terminal', 'headless']) {
    const { [`claude-code ${mode}`]: claude, [`codex-cli ${mode}`]: codex, [`gemini-cli ${mode}`]: gemini } = plans
    await check(`cockpit: claude ${mode}: connects with these settings`, async () => {
      // The same words, but to say what it found at its start; in a terminal they hold the prompt too.
      const words = claude.args.slice(1).filter((word, i, all) => !(word === '--print' || word === '--output-format' || all[i - 1] === '--output-format'))
      const told = await greeting(real.claude[0], ['--print', '--output-format', 'stream-json', '--verbose', ...words], inside(claude), claude.stdin ?? '')
      assert.deepEqual(told.mcp_servers.map(({ name, status }) => [name, status]), [['brenner', 'connected']])
      assert.ok(told.tools.includes('mcp__brenner__brenner_submit'))
    })
    await check(`cockpit: codex ${mode}: connects with these settings, as the agent`, () => {
      const flags = codex.args.flatMap((word, i, all) => (word === '-c' ? [word, all[i + 1]] : []))
      return codexTalk(...real.codex, inside(codex), flags, {
        tool: 'fetch_inbox',
        arguments: { project_key: project },
        look: (answer) => assert.match(JSON.stringify(answer.structuredContent), /KICKOFF/),
      })
    })
    await check(`cockpit: codex ${mode}: takes the whole command line`, async () => {
      const words = codex.args.slice(1, codex.args.includes('--') ? codex.args.indexOf('--') : -1)
      const asked = (extra) => run(real.codex[0], [real.codex[1], ...words, ...extra, '--help'], inside(codex))
      assert.equal((await asked([])).code, 0)
      assert.notEqual((await asked(['--no-such-flag'])).code, 0)
    })
    await check(`cockpit: gemini ${mode}: connects with these settings`, async () => {
      if (mode === 'headless') { // it is slow to start; the settings are those of the terminal
        for (const part of ['dir', 'env']) assert.deepEqual(gemini[part], plans['gemini-cli terminal'][part])
        return
      }
      const { stdout, stderr } = await run(real.gemini[0], [real.gemini[1], 'mcp', 'list'], inside(gemini))
      assert.match(stdout + stderr, /brenner: .*--as GrayOwl .* - Connected/)
      const untrusted = inside(gemini)
      delete untrusted.env.GEMINI_CLI_TRUST_WORKSPACE
      const without = await run(real.gemini[0], [real.gemini[1], 'mcp', 'list'], untrusted)
      assert.doesNotMatch(without.stdout + without.stderr, / - Connected/)
    })
    await check(`cockpit: gemini ${mode}: takes the whole command line`, async () => {
      const asked = async (extra) => {
        const { stdout, stderr } = await run(real.gemini[0], [real.gemini[1], ...gemini.args.slice(1), ...extra], inside(gemini))
        return stdout + stderr
      }
      assert.match(await asked(['--no-such-flag']), /Unknown argument/)
      assert.doesNotMatch(await asked([]), /Unknown argument|Not enough arguments|Invalid values/)
    })
  }
}

// flagsOf returns the flags of a command line, each with its value where that is one of a few.
function flagsOf(args) {
  const few = ['--sandbox', '--color', '--output-format', '--permission-mode', '--ask-for-approval', '--approval-mode']
  const end = args.indexOf('--')
  const words = end < 0 ? args : args.slice(0, end)
  return words.slice(1).flatMap((word, i) => (word.startsWith('-') && word !== '-' ? [[word.split('=')[0], few.includes(word) ? words[i + 2] : undefined]] : []))
}

const mentions = (help, flag) => new RegExp(`(^|[\\s,])${flag}([\\s,=<]|$)`, 'm').test(help)

// greeting starts a program, gives it its input, and ends it after the line of JSON in which it says what it found.
function greeting(command, args, options, input) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    let told
    let complaint = ''
    child.stderr.on('data', (data) => { complaint += data })
    child.on('error', fail)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.includes('"subtype":"init"')) return // of hooks
      told ??= line
      child.kill('SIGTERM')
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('close', () => {
      clearTimeout(timer)
      try {
        done(JSON.parse(told))
      } catch {
        fail(new Error(`${command} said ${told}\n${complaint}`))
      }
    })
  })
}
