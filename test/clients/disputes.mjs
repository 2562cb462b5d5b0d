// Plays a whole dispute of the history of science by Claude Code, Codex CLI and Gemini CLI, started by brenner dispute play, while a stand-in
// plays their models (model.mjs). It answers as the kickoff asks: one statement in each turn, with the next test named. Everything is
// asserted in the store.
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startModel } from './model.mjs'
import { finish, run } from './process.mjs'
import { furnish, left, spoken } from './turns.mjs'

const opera = join(dirname(fileURLToPath(import.meta.url)), '../../disputes/opera')
const thread = 'RS-20260106-opera-by-three'
const cast = { BlueLake: 'codex-cli', GreenHill: 'claude-code', GrayOwl: 'gemini-cli' }
const names = Object.keys(cast)
const rivals = ['H1', 'H2', 'H3', 'H4']

// script ranks the tests, states what it believes and names the next test, and ends. Of everything it knows only what it was told.
function script(turn) {
  const [, agent] = /You are (\w+) in the research session (RS-[\w-]+)/.exec(turn.text) ?? []
  const round = Number(/This is round (\d+)/.exec(turn.text)?.[1])
  assert.match(turn.text, /Do muon neutrinos travel faster than light/)
  assert.match(turn.text, /subject `INFO: Statement` \(send_message\)/, 'every turn is told how a statement is made')
  const [, example] = /on a line of its own: `(.*?)`/.exec(turn.text)
  for (const name of ['Take the chain apart', 'Do they lose their energy?']) assert.ok(turn.text.includes(name), `the prompt has no test ${name}`)
  if (round > 1) assert.match(turn.text, /\*\*Found\*\*:\n  - T\d/, 'a further turn is told what was found')
  const project = turn.service === 'anthropic' ? {} : { project_key: /The project is in the folder (.+?)\.\n/.exec(turn.text)[1] }
  switch (turn.calls.length) {
    case 0:
      return { call: 'brenner_next', input: { ...project, thread_id: thread } }
    case 1: {
      const { tests } = JSON.parse(/\{"thread_id".*\}/.exec(turn.calls[0].output)[0])
      const chosen = tests.find((each) => agent === 'GreenHill' || each.labels.length) ?? tests[0]
      const certain = round === 1 ? 0.4 : 0.7
      const belief = { credences: { H1: 0.8 - certain, H2: certain, none: 0.1 }, rationale: 'Clocks fail more often than relativity.' }
      if (round === 1) {
        const rows = tests.filter((each) => each.labels.length === 2)
          .map(({ test, labels }) => [test, { labels, ...Object.fromEntries(rivals.map((id) => [id, id === 'H1' ? [0.7, 0.3] : [0.4, 0.6]])) }])
        belief.likelihoods = Object.fromEntries(rows)
      }
      const body = `A chain of clocks has many links.\n\n${example.replace('T1', chosen.test)}\n\n\`\`\`belief\n${JSON.stringify(belief)}\n\`\`\`\n`
      const to = ['Operator', ...names.filter((name) => name !== agent)]
      return { call: 'send_message', input: { ...project, sender_name: agent, thread_id: thread, to, subject: 'INFO: Statement', body_md: body } }
    }
  }
  assert.ok(!turn.calls.at(-1).failed, turn.calls.at(-1).output)
  return { say: 'Done.' }
}

export async function disputeChecks({ modules, brenner, env: outer, check, dir }) {
  const model = await startModel(script)
  const bench = furnish({ modules, outer, dir, model })
  cpSync(opera, join(bench.project, 'opera'), { recursive: true })
  const rewrite = (file, how) => writeFileSync(file, how(readFileSync(file, 'utf8')))
  rewrite(join(bench.project, 'opera/dispute.yaml'), (text) => text.replace(/^budget: .*$/m, 'budget: 5')) // it pays for two tests
  rewrite(join(bench.home, '.codex/config.toml'), (text) => `model = "gpt-5.2"\n${text}`) // a play names no model
  const options = { cwd: bench.project, env: bench.env }
  const json = async (...args) => {
    const { stdout, stderr } = await run(brenner, [...args, '--json'], options)
    try { return JSON.parse(stdout) } catch { throw new Error(`brenner ${args.join(' ')}: ${stdout}${stderr}`) }
  }
  const programs = Object.entries(cast).flatMap(([agent, program]) => ['--program', `${agent}=${program}`])
  const play = (...flags) => json('dispute', 'play', './opera', '--thread', thread, ...programs, ...flags)
  try {
    await check('a dispute played by three programs', async () => {
      // Each turn of each program asks its service three times, for 1,020 tokens. In the first a budget is spent, and nothing is opened.
      const halted = await play('--budget', '9k')
      const trouble = (report) => `${JSON.stringify(report, null, 1)}\n${spoken(bench, thread)}`
      assert.match(halted.halted, /tokens of 9000 are spent/, trouble(halted))
      assert.deepEqual([halted.turns, halted.opened, halted.ended], [1, [], false], trouble(halted))
      const report = await play('--budget', 'none')
      assert.deepEqual([report.ended, report.turns, report.waiting, report.halted], [true, 3, [], ''], trouble(report))
      assert.equal((await json('session', 'status', thread)).phase, 'complete')
      assert.equal((await json('verify', thread)).first_bad, null)

      const messages = (await finish(brenner, ['thread', 'export', thread], options)).trim().split('\n').map((line) => JSON.parse(line))
      const { seals } = JSON.parse(/```dispute\n(.*?)\n```/s.exec(messages[0].body_md)[1])
      const { evidence: sources } = await json('evidence', 'list')
      for (const opened of report.opened) {
        assert.equal(sources.find((source) => source.id === opened.evidence).sha256, seals[opened.test], opened.test)
      }
      assert.deepEqual(report.opened.map(({ test }) => test), ['T3', 'T5'])
      const statements = messages.filter((message) => message.subject === 'INFO: Statement').map((message) => message.from).sort()
      assert.deepEqual(statements, names.flatMap((name) => [name, name, name]).sort())

      const { scores } = await json('dispute', 'score', thread)
      assert.deepEqual(scores.map((score) => [score.agent, score.answer, score.on_answer, score.results, score.forecast.n]).sort(),
        names.map((name) => [name, 'H2', 0.7, 2, 2]).sort(), JSON.stringify(scores))
      for (const score of scores) {
        // Gemini CLI asks in each turn one thing besides, and counts it.
        const asked = model.seen.filter(({ turn, aside }) => turn?.text.includes(`You are ${score.agent} in`) && (!aside || turn.service === 'gemini')).length
        assert.deepEqual([score.requests, score.tokens], [3, 1020 * asked], score.agent)
      }
      return `${report.opened.length} tests opened in ${report.turns} turns of ${names.length} programs`
    })
    await check('a dispute: no process is left, and the stand-in was asked for nothing that it does not know', () => {
      assert.deepEqual(left(bench), [])
      assert.deepEqual(model.seen.filter(({ error }) => error).map(({ error }) => String(error.stack)), [])
    })
  } finally {
    await model.stop()
  }
}
