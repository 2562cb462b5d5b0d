// Leads the real programs through whole turns of a session: brenner run and brenner cockpit start them,
// and a stand-in plays the models (model.mjs). Everything is asserted at the far end: the mail in the store,
// the version that was compiled, the log that verifies, and that no process is left.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startModel } from './model.mjs'
import { finish, run } from './process.mjs'

const crew = [
  { agentName: 'BlueLake', role: 'hypothesis_generator', program: 'codex-cli', model: 'GPT-5.2' },
  { agentName: 'GreenHill', role: 'test_designer', program: 'claude-code', model: 'Opus 4.5' },
  { agentName: 'GrayOwl', role: 'adversarial_critic', program: 'gemini-cli', model: 'gemini-2.5-pro' },
]
const names = crew.map((each) => each.agentName)

export const hypothesis = (agent) => ({
  operation: 'ADD', section: 'hypothesis_slate', target_id: null,
  payload: { name: `${agent}'s reading`, claim: `${agent} holds that fate is copied.`, mechanism: `A mark that ${agent} names.`, anchors: ['inference'] },
  rationale: 'The excerpt leaves it open.',
})

// Steps of a script. Each gets the turn and returns what the model does; who is the agent, told by the prompt.
// What the prompt says of the project is all that a model knows of it.
const acknowledge = (turn, who) => ({ call: 'acknowledge_message', input: { ...who.self, message_id: who.kickoff } })
const read = (turn, who) => ({ call: 'fetch_inbox', input: { ...who.self, include_bodies: true } })
const submit = (turn, who) => ({ call: 'brenner_submit', input: { ...who.author, thread_id: who.thread, deltas: [hypothesis(who.agent)] } })
const wait = (turn, who) => ({ call: 'brenner_wait', input: { ...who.self, timeout_seconds: 1 } })
const end = () => ({ say: 'Done.' })

// incomplete submits a delta that the door refuses; mended adds what the answer asks for.
const incomplete = (turn, who) => {
  const { mechanism, ...payload } = hypothesis(who.agent).payload
  return { call: 'brenner_submit', input: { ...who.author, thread_id: who.thread, deltas: [{ ...hypothesis(who.agent), payload }] } }
}
const mended = (turn, who) => {
  const { output } = turn.calls.at(-1)
  assert.match(output, /mechanism/, 'the refusal names the field')
  assert.doesNotMatch(output, /brenner [a-z]/, 'an agent on MCP is told of no shell command')
  return submit(turn, who)
}
const spoof = (turn, who) => ({ call: 'brenner_submit', input: { ...who.author, sender_name: names.find((name) => name !== who.agent), thread_id: who.thread, deltas: [hypothesis('somebody')] } })
const print = (turn, who) => ({ say: `Here is what I add.\n\n\`\`\`delta\n${JSON.stringify(hypothesis(who.agent), null, 2)}\n\`\`\`\n` })
const refuse = () => ({ say: 'I have nothing to add.' })

// takePart joins as the skills say: the program was not told who it is.
const takePart = (turn, who) => ({ call: 'macro_start_session', input: { agent_name: who.agent, program: 'any', model: 'any' } })

const scripts = {
  joined: [takePart, read, submit, end],
  work: [submit, end],
  mend: [incomplete, mended, end],
  print: [print],
  spoof: [spoof, end],
  silent: [refuse],
}

// inCockpit contributes, ends its turn, and answers the question that wakes it. Codex knows no such waking: it waits.
function inCockpit(turn, who) {
  const begin = [acknowledge, read, submit][turn.calls.length]
  if (begin) return begin(turn, who)
  const asked = /\(QUESTION from Operator\)/.test(turn.text) || turn.calls.some((call) => call.tool === 'brenner_wait' && /QUESTION: Which strain/.test(call.output))
  const answered = turn.calls.some((call) => call.tool === 'send_message')
  if (asked && !answered) return { call: 'send_message', input: { ...who.author, thread_id: who.thread, to: ['Operator'], subject: 'INFO: Which strain', body_md: '# Information\n\nThe wild one.' } }
  return turn.service === 'openai' && !answered ? wait(turn, who) : end()
}

// script plays the part that the thread's id names, one step for each call that was answered.
function script(turn) {
  const [, agent, thread] = /You are (\w+)(?:, [^.]*? of| in) the research session (RS-\d+-\w+)/.exec(turn.text) ?? []
  if (!agent) return { say: 'Who am I?' }
  const steps = scripts[/RS-\d+-([a-z]+)/.exec(thread)[1]] ?? [inCockpit]
  const project = /The project is in the folder (.+?)\.\n/.exec(turn.text)?.[1]
  const named = turn.service === 'anthropic' || !project ? {} : { project_key: project } // it may be left out
  const known = turn.service === 'gemini' && steps !== scripts.joined // the name too, where the server knows it
  const who = {
    agent, thread, project, kickoff: Number(/(?:acknowledge message |message #)(\d+)/i.exec(turn.text)?.[1]), // a run asks for no acknowledgement
    self: known ? named : { ...named, agent_name: agent }, author: known ? named : { ...named, sender_name: agent },
  }
  return steps[Math.min(turn.calls.length, steps.length - 1)](turn, who)
}

export async function turnChecks({ modules, brenner, env: outer, check, dir }) {
  const model = await startModel(script)
  const bench = furnish({ modules, outer, dir, model })
  const { project, env } = bench
  const options = { cwd: project, env }
  const json = async (...args) => {
    const { stdout, stderr } = await run(brenner, [...args, '--json'], options)
    try { return JSON.parse(stdout) } catch { throw new Error(`brenner ${args.join(' ')}: ${stdout}${stderr}`) }
  }
  const begin = (thread) => finish(brenner, ['session', 'start', '--thread', thread, '--roster', JSON.stringify(crew), '--question', 'Do cells remember?', '--context', 'Two fates.'], options)
  const messages = async (thread) => (await finish(brenner, ['thread', 'export', thread], options)).trim().split('\n').map((line) => JSON.parse(line))
  const verified = async (thread) => assert.equal((await json('verify', thread)).first_bad, null)
  const kickoffsOf = (list) => list.filter((each) => each.subject.startsWith('KICKOFF'))

  // played runs one round of a scenario and returns its table and its mail.
  const played = async (scenario) => {
    const thread = `RS-20260104-${scenario}`
    await begin(thread)
    const report = await json('run', thread, '--rounds', '1', '--deadline', '60s')
    const trouble = () => `${JSON.stringify(report, null, 1)}\n${spoken(bench, thread)}`
    assert.equal(report.rounds?.length, 1, trouble())
    await verified(thread)
    return { report, agents: report.rounds[0].agents, mail: await messages(thread), trouble }
  }
  const each = (agents, look) => agents.map((agent) => [agent.agent, look(agent)])
  const all = (value) => names.map((name) => [name, value])
  const authors = (mail) => mail.filter((message) => message.subject.startsWith('DELTA')).map((message) => message.from).sort()

  const scenarios = {
    work: async () => {
      const { report, agents, mail, trouble } = await played('work')
      assert.deepEqual(each(agents, (agent) => [agent.verdict, agent.how, agent.acked]), all(['contributed', 'mail', false]), trouble())
      assert.deepEqual(authors(mail), [...names].sort())
      // The contribution settles what the kickoff asked for: nobody acknowledges it, and nobody is called late.
      const { acks } = await json('session', 'status', 'RS-20260104-work')
      assert.deepEqual(acks.pending.map((owed) => owed.overdue || !owed.settled_by), acks.pending.map(() => false), JSON.stringify(acks))
      assert.equal(kickoffsOf(mail).length, 3)
      assert.equal(report.version, 1)
      assert.equal((await json('artifact', 'show', 'RS-20260104-work')).sections.hypothesis_slate.length, 3)
      assert.deepEqual(each(agents, (agent) => agent.refused.length), all(0), trouble())
      assert.deepEqual(agents.map((agent) => [agent.model, agent.model_passed]), [['GPT-5.2', 'gpt-5.2'], ['Opus 4.5', 'opus'], ['gemini-2.5-pro', 'gemini-2.5-pro']])
      // What each did is read from its own stream, and leads from a field to the turn that wrote it.
      const turns = (await Promise.all(names.map((name) => json('run', 'transcript', 'RS-20260104-work', name)))).flatMap(({ turns }) => turns)
      assert.deepEqual(turns.map((turn) => [turn.agent, turn.format]).sort(), [['BlueLake', 'codex'], ['GrayOwl', 'gemini'], ['GreenHill', 'claude']])
      for (const turn of turns) {
        assert.equal(turn.steps[0].kind, 'prompt')
        assert.ok(turn.steps.some((step) => step.kind === 'call' && /brenner_submit$/.test(step.tool)), JSON.stringify(turn))
        assert.ok(turn.steps.some((step) => step.kind === 'result' && /brenner_submit$/.test(step.tool) && !step.failed && /accepted/.test(step.text)), JSON.stringify(turn))
        assert.ok(turn.steps.some((step) => step.kind === 'text' && /Done/.test(step.text)), JSON.stringify(turn))
        assert.ok(turn.usage.input_tokens > 0 && turn.usage.output_tokens > 0, JSON.stringify(turn.usage))
      }
      // The operator sees what each has used, and what it cost where its program says so.
      const { agents: seen } = await json('ps', 'RS-20260104-work')
      const used = seen.filter((row) => names.includes(row.agent))
      assert.deepEqual(used.map((row) => [row.agent, row.usage?.input_tokens > 0 && row.usage?.output_tokens > 0]).sort(), all(true).sort(), JSON.stringify(seen))
      assert.deepEqual(used.filter((row) => row.usage.cost_usd !== null).map((row) => row.agent), ['GreenHill'], JSON.stringify(used))
      const { fields } = await json('artifact', 'blame', 'RS-20260104-work', 'H1.claim')
      assert.equal(fields[0].turn.agent, fields[0].agent)
    },
    mend: async () => {
      const { report, agents, mail, trouble } = await played('mend')
      assert.deepEqual(each(agents, (agent) => agent.verdict), all('contributed'), trouble())
      assert.deepEqual(each(agents, (agent) => agent.refused.length), all(1), trouble())
      assert.deepEqual(authors(mail), [...names].sort())
      assert.equal(report.version, 1)
    },
    print: async () => {
      const { report, agents, mail, trouble } = await played('print')
      assert.deepEqual(each(agents, (agent) => [agent.verdict, agent.how]), all(['contributed', 'output']), trouble())
      assert.deepEqual(authors(mail), [...names].sort())
      assert.equal(report.version, 1)
    },
    spoof: async () => {
      const { report, agents, mail, trouble } = await played('spoof')
      assert.deepEqual(authors(mail), [], trouble())
      assert.equal(report.version, 0)
      assert.deepEqual(each(agents, (agent) => [agent.verdict, /NOT_ALLOWED/.test(JSON.stringify(agent.refused))]), all(['refused', true]), trouble())
    },
    silent: async () => {
      const { report, agents, mail, trouble } = await played('silent')
      assert.deepEqual(each(agents, (agent) => [agent.verdict, agent.acked]), all(['silent', false]), trouble())
      assert.deepEqual(authors(mail), [])
      assert.equal(report.version, 0)
    },
  }
  // Programs that brenner connect has set up, started by a person in their own ways.
  scenarios.connected = async () => {
    const thread = 'RS-20260104-joined'
    await begin(thread)
    for (const program of ['claude', 'codex', 'gemini']) await finish(brenner, ['connect', program, '--yes'], options)
    try {
      const prompt = (agent) => `You are ${agent} in the research session ${thread}. Acknowledge message 1. Take part with the tools of brenner: brenner_submit.`
      const said = await Promise.all([
        finish('claude', ['--print', prompt('GreenHill')], { ...options, env: { ...env, AGENT_NAME: 'GreenHill' } }), // the hook does not hold it
        finish('codex', ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', '--model', 'gpt-5.2', prompt('BlueLake')], options),
        finish('gemini', ['--prompt', prompt('GrayOwl')], { ...options, env: { ...env, GEMINI_CLI_TRUST_WORKSPACE: 'true' } }),
      ])
      assert.deepEqual(authors(await messages(thread)), [...names].sort(), `${said.join('\n')}\n${spoken(bench, thread)}`)
      await verified(thread)
    } finally {
      for (const program of ['claude', 'codex', 'gemini']) await finish(brenner, ['disconnect', program], options)
    }
  }
  scenarios.cockpit = async () => {
    const thread = 'RS-20260104-cockpit'
    await begin(thread)
    await finish(brenner, ['cockpit', 'start', thread], options)
    const screens = () => panes(bench, brenner, options)
    try {
      await until('three contributions', async () => authors(await messages(thread)).length === 3, async () => `${await screens()}\n${spoken(bench, thread)}`)
      writeFileSync(join(project, 'question.md'), '# Question\n\n## Question\n\nWhich strain?\n\n## Urgency\n\nSoon\n')
      await finish(brenner, ['mail', 'send', '--to', names.join(','), '--thread', thread, '--subject', 'QUESTION: Which strain', '--body', 'question.md'], options)
      const answers = async () => (await messages(thread)).filter((message) => message.subject === 'INFO: Which strain').map((message) => message.from).sort()
      await until('three answers', async () => (await answers()).length === 3, async () => `${await answers()}\n${await screens()}\n${spoken(bench, thread)}`)
      // Whoever is woken by mail waits at the end of its turn, and that is how it looks.
      await until('two who wait', async () => {
        const states = await Promise.all(['GreenHill', 'GrayOwl'].map((name) => json('why', name)))
        return states.every(({ state }) => state === 'waiting')
      }, async () => JSON.stringify(await Promise.all(names.map((name) => json('why', name))), null, 1) + await screens())
      await finish(brenner, ['compile', thread], options)
      await verified(thread)
      assert.equal((await json('artifact', 'show', thread)).metadata.version, 1)
      assert.ok(kickoffsOf(await messages(thread)).every((message) => message.deliveries[0].ack_ts))
    } finally {
      await finish(brenner, ['cockpit', 'stop', thread], options)
    }
  }
  try {
    const only = process.env.TURNS?.split(',')
    const { code } = await run('tmux', ['-V'], options).catch(() => ({ code: 1 }))
    if (code !== 0 && !process.env.REQUIRE_ALL) {
      console.log('skip  turns: cockpit: tmux is not installed')
      delete scenarios.cockpit
    }
    for (const pair of [['work', 'silent'], ['mend', 'print'], ['cockpit', 'spoof'], ['connected']]) {
      await Promise.all(pair.filter((name) => scenarios[name] && (!only || only.includes(name))).map((name) => check(`turns: ${name}`, scenarios[name])))
    }
    await check('turns: no process is left', async () => {
      assert.deepEqual(left(bench), [])
    })
  } finally {
    await model.stop()
  }
}

// until asks again and again whether something is so.
export async function until(what, so, trouble) {
  for (const began = Date.now(); !(await so()); await pause(200)) {
    if (Date.now() - began > 60_000) assert.fail(`no ${what} within a minute\n${await trouble()}`)
  }
}

// panes is what the programs show in their panes.
export async function panes(bench, brenner, options) {
  const { sessions } = JSON.parse(await finish(brenner, ['cockpit', 'list', '--json'], options))
  const shown = await Promise.all((sessions ?? []).flatMap((session) => session.panes).map(async (pane) => {
    const { stdout, stderr } = await run('tmux', ['capture-pane', '-p', '-t', pane.pane], options)
    return `--- ${pane.agent} alive=${pane.alive}\n${(stdout + stderr).replace(/\n{3,}/g, '\n\n')}`
  }))
  return shown.join('\n')
}

// furnish makes a home in which the programs are set up as after a login, with the stand-in as their
// service, and a folder for PATH.
export function furnish({ modules, outer, dir, model }) {
  const home = join(dir, 'home')
  const project = join(dir, "it's a project")
  const bin = join(dir, 'bin')
  for (const folder of [project, bin, join(home, '.codex'), join(home, '.claude'), join(home, '.gemini'), join(dir, 'tmux')]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  symlinkSync(join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, 'claude'), join(bin, 'claude'))
  const programs = [
    ['codex', '@openai/codex/bin/codex.js'], ['gemini', '@google/gemini-cli/bundle/gemini.js'],
    ['claude-agent-acp', '@agentclientprotocol/claude-agent-acp/dist/index.js'], ['codex-acp', '@agentclientprotocol/codex-acp/dist/index.js'],
  ]
  for (const [name, file] of programs) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${join(modules, file)}' "$@"\n`)
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(home, '.claude.json'), JSON.stringify({
    hasCompletedOnboarding: true, customApiKeyResponses: { approved: ['stand-in'] }, projects: { [project]: { hasTrustDialogAccepted: true } },
  }))
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify({
    security: { auth: { selectedType: 'gemini-api-key' } }, privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false, disableAutoUpdate: true },
  }))
  writeFileSync(join(home, '.gemini/trustedFolders.json'), JSON.stringify({ [project]: 'TRUST_FOLDER' }))
  writeFileSync(join(home, '.codex/config.toml'), `model_provider = "standin"
check_for_update_on_startup = false

[model_providers.standin]
name = "stand-in"
base_url = "${model.url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[projects.${JSON.stringify(project)}]
trust_level = "trusted"
`)
  const mark = `BRENNER_TURNS=${basename(dir)}-${process.pid}`
  const env = {
    ...outer, HOME: home, CODEX_HOME: join(home, '.codex'), PATH: `${bin}:${outer.PATH}`, TMUX_TMPDIR: join(dir, 'tmux'),
    ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'stand-in', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_API_KEY: 'stand-in',
    [mark.split('=')[0]]: mark.split('=')[1],
  }
  return { home, project, env, mark, model }
}

// left lists the processes that carry the mark of these checks.
export function left({ mark }) {
  if (process.platform !== 'linux') return [] // elsewhere nobody sees another's environment
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) return []
      return [`${pid}: ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`]
    } catch { return [] }
  })
}

// spoken is what the models were asked and did on a thread, for a person who looks for the cause.
export function spoken({ model, project }, thread) {
  const turns = model.seen.map(({ turn, wish, error, other, aside }) => {
    if (!turn) return String(error?.stack ?? other)
    if (!turn.text.includes(thread)) return undefined
    const last = turn.calls.at(-1)
    const tools = aside ? `, offered ${turn.tools.join(' ')}` : ''
    return `${turn.service} ${turn.model} after ${turn.calls.length} calls${last ? ` (${last.tool}${last.failed ? ' failed' : ''}: ${last.output.slice(0, 300)})` : ''}${tools}: ${JSON.stringify(wish).slice(0, 200)}`
  })
  const folder = join(project, '.brenner/run', thread, 'round-1')
  let output = []
  try {
    output = readdirSync(folder).filter((name) => /\.(out|err)$/.test(name)).map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8').slice(0, 2000)}`)
  } catch { /* it never began */ }
  return [...turns.filter(Boolean), ...output].join('\n')
}
