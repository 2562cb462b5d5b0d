// Leads the real programs into what an operator lives by: a consent, a login that is not known, a service that takes no more, a budget in
// the middle of a turn, a runner that is killed. Each is played by the programs as they stream, and by the same programs as agents of the
// Agent Client Protocol. A stand-in plays the models (model.mjs); everything is asserted at the far end.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startModel } from './model.mjs'
import { finish, run } from './process.mjs'
import { furnish, hypothesis, left, panes, spoken, until } from './turns.mjs'

const crews = {
  stream: [['BlueLake', 'codex-cli', 'gpt-5.2'], ['GreenHill', 'claude-code', 'opus'], ['GrayOwl', 'gemini-cli', 'gemini-2.5-pro']],
  acp: [['RedFox', 'codex-acp', 'gpt-5.2'], ['WhiteElk', 'claude-acp', 'opus'], ['PinkSeal', 'gemini-acp', 'gemini-2.5-pro']],
}
const roles = ['hypothesis_generator', 'test_designer', 'adversarial_critic']
const rosterOf = (kind) => crews[kind].map(([agentName, program, model], i) => ({ agentName, program, model, role: roles[i] }))

// shell is how each program runs a command, outside of what it may do unasked.
const shell = {
  anthropic: (command) => ({ tool: 'Bash', input: { command, description: 'Make a mark' } }),
  openai: (command) => ({ tool: 'exec_command', input: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'To make a mark' } }),
  gemini: (command) => ({ tool: 'run_shell_command', input: { command, description: 'Make a mark' } }),
}
const submit = (turn, who) => ({ call: 'brenner_submit', input: { sender_name: who.agent, thread_id: who.thread, ...(who.project && turn.service !== 'anthropic' ? { project_key: who.project } : {}), deltas: [hypothesis(who.agent)] } })
const assumption = (name) => ({
  operation: 'ADD', section: 'assumption_ledger', target_id: null,
  payload: { name, statement: `It holds for ${name}.`, load: 'All of it.', test: 'Look.', status: 'unchecked' }, rationale: 'The excerpt leaves it open.',
})
const done = { say: 'Done.' }
const submitted = (turn) => turn.calls.some((call) => call.tool === 'brenner_submit')

// parts are what a model does on a thread, by the scenario that the thread's id names.
const parts = {
  work: (turn, who) => (submitted(turn) ? done : submit(turn, who)),
  panes: (turn, who) => parts.consent(turn, who),
  consent: (turn, who) => {
    if (!turn.calls.length) return shell[turn.service](`touch ${who.mark}`)
    return submitted(turn) ? done : submit(turn, who)
  },
  rounds: (turn, who) => {
    const round = Number(/This is round (\d)/.exec(turn.text)?.[1] ?? turn.text.match(/round (\d)/i)?.[1] ?? 1)
    const protocol = process.env.PROTOCOL_FIRST ? ['acknowledge_message', 'fetch_inbox', 'brenner_status'] : []
    const step = protocol.find((tool) => !turn.calls.some((call) => call.tool === tool))
    if (step) {
      const about = { acknowledge_message: { message_id: Number(/message[ #]+(\d+)/i.exec(turn.text)?.[1] ?? 1) }, fetch_inbox: { include_bodies: true }, brenner_status: { thread_id: who.thread } }
      return { call: step, input: { ...(who.project && turn.service !== 'anthropic' ? { project_key: who.project } : {}), ...(step === 'brenner_status' ? {} : { agent_name: who.agent }), ...about[step] } }
    }
    return submitted(turn) ? done : { ...submit(turn, who), input: { ...submit(turn, who).input, deltas: [round === 1 ? hypothesis(who.agent) : assumption(`${who.agent} in round ${round}`)] } }
  },
  prices: (turn, who) => parts.work(turn, who),
  login: () => ({ status: 401, error: 'invalid x-api-key' }),
  limited: (turn, who, state) => {
    const key = `${who.thread} ${who.agent}`
    state[key] ??= Date.now()
    return Date.now() - state[key] < 1500 ? { status: 429, error: 'Too many requests. Please try again in 2s.' } : parts.work(turn, who)
  },
  // Gemini CLI ends a turn that makes the same call again and again.
  budget: (turn, who) => ({ call: 'fetch_inbox', input: { agent_name: who.agent, limit: turn.calls.length + 1, ...(who.project && turn.service !== 'anthropic' ? { project_key: who.project } : {}) }, after: 300 }),
  killed: (turn, who) => ({ ...parts.work(turn, who), after: 1500 }),
}

// partOf is who the model is, as its prompt says. Other threads may be named too: Gemini CLI lists the folders of the project.
function partOf(turn) {
  const [, agent, thread] = /You are (\w+)(?:, [^.]*? of| in) the research session (RS-\d+-\w+(?:-\w+)?)/.exec(turn.text) ?? []
  return { agent, thread }
}

export async function plightChecks({ modules, brenner, env: outer, check, dir }) {
  const state = {}
  let bench
  const model = await startModel((turn) => {
    const { agent, thread } = partOf(turn)
    if (!agent) return { say: 'Who am I?' }
    const project = /The project is in the folder (.+?)\.\n/.exec(turn.text)?.[1]
    const scenario = /RS-\d+-([a-z]+)/.exec(thread)[1]
    return parts[scenario](turn, { agent, thread, project, mark: join(bench.home, `${thread}-${agent}`) }, state)
  })
  bench = furnish({ modules, outer, dir, model })
  const { project, env } = bench
  const options = { cwd: project, env }
  const json = async (...args) => {
    const { stdout, stderr } = await run(brenner, [...args, '--json'], options)
    try { return JSON.parse(stdout) } catch { throw new Error(`brenner ${args.join(' ')}: ${stdout}${stderr}`) }
  }
  const begin = (thread, kind, only = () => true) => finish(brenner, ['session', 'start', '--thread', thread, '--roster', JSON.stringify(rosterOf(kind).filter(only)), '--question', 'Do cells remember?', '--context', 'Two fates.'], options)
  const deltas = async (thread) => (await finish(brenner, ['thread', 'export', thread], options)).trim().split('\n').map((line) => JSON.parse(line))
    .filter((message) => message.subject.startsWith('DELTA')).map((message) => message.from).sort()
  const trouble = (thread, report) => `${JSON.stringify(report, null, 1)}\n${spoken(bench, thread)}`
  const play = (thread, ...flags) => json('run', thread, '--rounds', '1', '--deadline', '60s', ...flags)
  const requests = (thread) => model.seen.filter(({ turn, aside }) => turn && !aside && partOf(turn).thread === thread)

  const scenarios = {
    // Every program contributes, what it used is told, and its turn can be read.
    work: async (thread, names, kind) => {
      const report = await play(thread)
      const agents = report.rounds[0].agents
      assert.deepEqual(agents.map((each) => [each.agent, each.verdict, each.how]), names.map((name) => [name, 'contributed', 'mail']), trouble(thread, report))
      for (const agent of agents) {
        const used = agent.usage
        assert.deepEqual([used.input_tokens, used.output_tokens, used.estimated ?? false], [2000, 40, false], `${agent.agent} ${JSON.stringify(used)}`)
        const { turns } = await json('run', 'transcript', thread, agent.agent)
        assert.equal(turns[0].steps[0].kind, 'prompt')
        assert.ok(turns[0].steps.some((step) => step.kind === 'result' && /brenner_submit/.test(step.tool) && !step.failed && /accepted/.test(step.text)), JSON.stringify(turns[0].steps))
        if (kind === 'acp') assert.equal(turns[0].format, 'acp')
      }
      return `${requests(thread).length} requests`
    },
    // The same in panes: the question and its keys are read from the screens of the programs, and from brenner's own for the protocol.
    panes: async (thread, names) => {
      await finish(brenner, ['cockpit', 'start', thread], options)
      const screens = async () => `${await panes(bench, brenner, options)}\n${spoken(bench, thread)}`
      try {
        for (const [i, name] of names.entries()) {
          let todo
          await until(`question of ${name}`, async () => {
            todo = (await json('todo', thread)).todo.find((each) => each.kind === 'ask' && each.agent === name)
            return todo?.command.includes('--key')
          }, screens)
          assert.match(todo.what, /touch /)
          await finish(brenner, ['nudge', thread, name, '--key', todo.command.split('--key ')[1]], options)
          await until(`mark of ${name}`, async () => existsSync(join(bench.home, `${thread}-${name}`)), screens)
          assert.ok(i >= 0)
        }
        await until('three contributions', async () => (await deltas(thread)).length === 3, screens)
        for (const name of names) assert.notEqual((await json('why', name)).state, 'asks', await screens())
      } finally {
        await finish(brenner, ['cockpit', 'stop', thread], options)
      }
    },
    // What three agents ask of their services in three rounds: a contribution and an end each.
    rounds: async (thread, names, kind) => {
      const report = await json('run', thread, '--rounds', '3', '--deadline', '60s')
      assert.deepEqual(report.rounds?.map((round) => round.agents.map((each) => each.verdict)), [1, 2, 3].map(() => names.map(() => 'contributed')), trouble(thread, report))
      const asked = requests(thread)
      const sent = asked.reduce((sum, each) => sum + each.bytes, 0)
      if (!process.env.PROTOCOL_FIRST) assert.ok(asked.length <= (kind === 'stream' ? 20 : 24), asked.map(({ turn, wish }) => `${turn.service} after ${turn.calls.length} calls: ${wish.say ?? wish.call}`).join('\n'))
      return `${asked.length} requests of ${Math.round(sent / 1000)} kB`
    },
    // What is asked for is told with the keys that answer it. The first is allowed, the others are refused; all contribute.
    consent: async (thread, names) => {
      const playing = play(thread, '--consent', '50s', '--in-turn')
      for (const [i, name] of names.entries()) {
        let todo
        await until(`question of ${name}`, async () => {
          todo = (await json('todo', thread)).todo.find((each) => each.kind === 'ask' && each.agent === name)
          return todo
        }, async () => trouble(thread, await json('why', name)))
        assert.match(todo.what, /touch .*\(1 .*2 /)
        assert.equal((await json('why', name)).state, 'asks')
        await finish(brenner, ['nudge', thread, name, '--key', i === 0 ? '1' : '2'], options)
      }
      const report = await playing
      const marks = names.map((name) => existsSync(join(bench.home, `${thread}-${name}`)))
      assert.deepEqual(marks, [true, false, false], trouble(thread, report))
      return report.rounds[0].agents.map((each) => each.verdict).join(', ')
    },
    // A login that is not known is no failure that is tried again.
    login: async (thread, names) => {
      const report = await play(thread)
      assert.deepEqual(report.rounds[0].agents.map((each) => [each.ended, each.attempts]), names.map(() => ['signed_out', 1]), trouble(thread, report))
      const { todo } = await json('todo', thread)
      assert.deepEqual(todo.filter((each) => each.kind === 'sign_in').map((each) => each.agent).sort(), [...names].sort(), JSON.stringify(todo))
    },
    // A program that its service refuses tries again by itself, or rests: nobody fails of it.
    limited: async (thread, names) => {
      const playing = play(thread, '--retries', '4')
      const seen = new Map()
      await until('end or rest of everybody', async () => {
        const wrote = await deltas(thread)
        for (const name of names) {
          if (wrote.includes(name)) seen.set(name, 'contributed')
          else if ((await json('why', name)).state === 'resting') seen.set(name, 'rests')
        }
        return seen.size === names.length
      }, async () => trouble(thread, [...seen]))
      await finish(brenner, ['run', thread, '--stop'], options)
      await playing
      return [...seen].map(([name, what]) => `${name} ${what}`).join(', ')
    },
    // A budget in dollars is refused where somebody tells none; with a price everybody's are told.
    prices: async (thread, names, kind) => {
      const refused = await play(thread, '--budget', '$5')
      assert.equal(refused.error?.code, 'INVALID_INPUT', trouble(thread, refused))
      const [codex, , gemini] = crews[kind].map(([, program]) => program)
      const settings = join(bench.home, `prices-${kind}.json`)
      writeFileSync(settings, JSON.stringify({ run: { prices: { [codex]: { input: 1.25, cached: 0.125, output: 10 }, [gemini]: { input: 2, output: 4 } } } }))
      const report = await play(thread, '--budget', '$5', '--config', settings)
      const dollars = report.rounds?.[0].agents.map((each) => each.usage?.dollars?.toFixed(5))
      assert.deepEqual([dollars?.[0], dollars?.[2]], ['0.00290', '0.00416'], trouble(thread, report))
      assert.ok(dollars[1] > 0, trouble(thread, report))
    },
    // At the ceiling a turn is ended in its middle, and what it used is known: of the first program, after which nobody is started, and of
    // each of the others alone where they stream (what Gemini CLI uses as an agent of the protocol is estimated, and too high).
    budget: async (thread, names, kind) => {
      const cut = async (on) => {
        const report = await play(on, '--budget', '20k', '--in-turn')
        const [first] = report.rounds[0].agents
        assert.deepEqual([report.status, first.ended], ['budget', 'budget'], trouble(on, report))
        const asked = requests(on).length * 1020
        const spent = report.usage.input_tokens + report.usage.output_tokens
        assert.ok(spent >= 20_000 && spent <= 30_000 && spent <= asked, `${first.agent}: ${spent} tokens are told, ${asked} were asked for`)
        return `${first.program}: ${spent} tokens told of ${asked} asked for${report.usage.estimated ? ', estimated' : ''}`
      }
      const others = (kind === 'stream' ? names.slice(1) : []).map(async (name, i) => {
        const alone = `${thread}${i + 2}`
        await begin(alone, kind, (each) => each.agentName === name)
        return cut(alone)
      })
      return (await Promise.all([cut(thread), ...others])).join('; ')
    },
    // A runner that is killed in the middle: what it started goes on, the next one goes on as it was asked, and everything is there once.
    killed: async (thread, names) => {
      const runner = spawn(brenner, ['run', thread, '--rounds', '1', '--deadline', '50s', '--budget', '900k', '--json'], { ...options, stdio: 'ignore' })
      await until('programs at work', async () => requests(thread).length >= 3, async () => trouble(thread))
      runner.kill('SIGKILL')
      const report = await json('run', thread)
      assert.deepEqual(report.rounds[0].agents.map((each) => [each.verdict, each.attempts]), names.map(() => ['contributed', 1]), trouble(thread, report))
      assert.deepEqual(await deltas(thread), [...names].sort(), trouble(thread, report))
      const kept = JSON.parse(readFileSync(join(project, '.brenner/run', thread, 'options.json'), 'utf8'))
      assert.deepEqual([kept.rounds, kept.deadline, kept.budget], [1, '50s', '900000'])
    },
  }
  const only = process.env.PLIGHTS?.split(',')
  const chosen = Object.keys(scenarios).filter((name) => !only || only.includes(name))
  try {
    const played = (name, kind) => check(`${name}: ${kind}`, async () => {
      const thread = `RS-20260105-${name}-${kind}`
      await begin(thread, kind)
      const told = await scenarios[name](thread, crews[kind].map(([agent]) => agent), kind)
      assert.equal((await json('verify', thread)).first_bad, null)
      return told
    })
    const kindsOf = (name) => Object.keys(crews).filter((kind) => (!process.env.CREW || kind === process.env.CREW) && (name !== 'consent' || kind === 'acp')) // streams cannot ask in a round
    for (const [i, name] of chosen.entries()) {
      if (i === 0) for (const kind of kindsOf(name)) await played(name, kind) // two that begin at once in a new home break Codex's own files
      else await Promise.all(kindsOf(name).map((kind) => played(name, kind)))
    }
    await check('plights: no process is left', async () => {
      await until('end of all processes', async () => left(bench).length === 0, async () => left(bench).join('\n'))
    })
  } finally {
    await model.stop()
  }
}
