// A large session: 6 hypotheses, 40 predictions, 30 tests, 13 versions and about 290 messages, in a project of its own.
// It has every state that a page must tell: a conflict, a killed hypothesis, reviews by one's own family and by another,
// an exploratory result, a prediction that was written after its result, a critique that became an item. Another session has just begun.
import { Project } from './project.mjs'

export const largeThread = 'RS-20260110-cells-turn-late'
export const begunThread = 'RS-20260111-just-begun'

const explanations = [
  ['Positional gradient', 'Cells read the concentration of a diffusing signal and turn where it falls below a threshold.'],
  ['Lineage memory', 'Cells inherit their fate from the blastomere they descend from, whatever surrounds them later.'],
  ['Contact with neighbours', 'Cells turn when they touch a neighbour that has turned already; the first one turns by chance.'],
  ['Mechanical strain', 'Stretching of the sheet opens channels, and the calcium that enters turns the cells.'],
  ['Clock and wavefront', 'An oscillator in each cell is frozen by a front that passes once; its phase then decides.'],
  ['Contaminated medium', 'A batch of medium carried a trace of the factor, and all differences between dishes come from it.'],
]
const outcomes = ['fate is kept', 'fate is lost within two hours', 'half of the cells turn']
const changes = ['more cells turn', 'no difference', 'fewer cells turn']
const treatments = ['Cool the sheet', 'Stretch the sheet by a third', 'Wash out the medium', 'Separate the cells', 'Block the channels', 'Label one blastomere', 'Turn the dish over', 'Add conditioned medium']
const trials = ['Transplant late cells into an early sheet', 'Cut the sheet in half', 'Graft a strip the wrong way round', 'Grow single cells', 'Stain for the factor', 'Film two divisions']
const writers = [['BlueLake', 'codex-cli', 'gpt-5.1', 'hypothesis_generator', 'gpt'], ['RedSky', 'claude-code', 'opus-4.5', 'test_designer', 'opus'], ['GreenRiver', 'gemini-cli', 'gemini-3-pro', 'adversarial_critic', 'gemini']]

const block = (operation, section, target, payload, rationale = 'It follows from the notes of the round.') =>
  '```delta\n' + JSON.stringify({ operation, section, target_id: target, payload, rationale }) + '\n```\n\n'
const believes = (credences) => '```belief\n' + JSON.stringify({ credences }) + '\n```\n'

class Scribe {
  constructor(project) {
    Object.assign(this, { project, lines: [], ids: 0, at: Date.now() - 6 * 3600_000 })
  }

  // post returns the id that the message will have.
  post(from, subject, body) {
    this.at += 60_000
    this.lines.push({ thread_id: largeThread, from, to: ['Operator'], subject, body_md: body, created_ts: new Date(this.at).toISOString().replace('Z', '000Z') })
    return ++this.ids
  }

  async compile() {
    await this.project.import(this.lines)
    this.lines = []
    await this.project.run('compile', largeThread)
    this.ids++
  }

  delta(writer, title, ...blocks) {
    return this.post(writer[0], `DELTA[${writer[4]}]: ${title}`, `# Delta\n\n${blocks.join('')}`)
  }

  tests(from, to) {
    const blocks = []
    for (let i = from; i < to; i++) {
      const expected = {}
      explanations.forEach((_, h) => { if ((i + h) % 4 < 3) expected[`H${h + 1}`] = outcomes[(i + h) % 4] })
      blocks.push(block('ADD', 'discriminative_tests', null, {
        name: `${trials[i % trials.length]} at stage ${3 + i}`, procedure: 'Wait for two divisions, count the cells that stain. Repeat on five sheets of three animals.',
        discriminates: 'H1 vs H2 vs H3', expected_outcomes: expected, potency_check: 'Stain a sheet that is known to turn.',
        score: { likelihood_ratio: i % 3 + 1, cost: 3 - i % 3, speed: 1 + i % 3, ambiguity: 2 },
      }))
    }
    this.delta(writers[1], `tests ${from + 1} to ${to}`, ...blocks)
  }

  predictions(from, to) {
    const blocks = []
    for (let i = from; i < to; i++) {
      const predictions = Object.fromEntries(explanations.map((_, h) => [`H${h + 1}`, changes[(i * (h + 1) + h) % 3]]))
      blocks.push(block('ADD', 'predictions_table', null, { condition: `${treatments[i % treatments.length]} for ${i + 1} hours at ${14 + i % 9} degrees`, predictions }))
    }
    this.delta(writers[0], `predictions ${from + 1} to ${to}`, ...blocks)
  }

  // round is what happens between two versions.
  round(v) {
    if (v <= 5) this.tests(6 * (v - 1), 6 * v)
    if (v <= 4) this.predictions(10 * (v - 1), 10 * v)
    writers.forEach(([name], i) => {
      const first = 0.14 + 0.02 * ((v * (i + 2)) % 6) + 0.012 * v
      this.post(name, 'INFO: Where I stand', '# Where I stand\n\n' + believes({ H1: Number(first.toFixed(2)), H2: Number((0.32 - 0.012 * v + 0.02 * ((v + i) % 4)).toFixed(2)), H3: 0.1 }))
    })
    const target = v % 5 + 1
    const critic = v === 4 ? writers[0] : writers[2] // H5 is attacked by the family that wrote it alone
    if (target !== 5 || v === 4) {
      const id = this.post(critic[0], `CRITIQUE: What would H${target} forbid?`, `# Critique: What would H${target} forbid in round ${v}?\n\n## Target\n\n**Item**: H${target}\n\n## Attack\n\nEvery outcome seen so far can be read as support. Say which count of stained cells would count against it.\n\n## Evidence\n\nNone.\n\n## Severity\n\n${['Critical', 'Major', 'Minor'][v % 3]}\n`)
      if (v % 3 !== 0 || v < 6) this.post('Operator', `INFO: Rebuttal of critique #${id}`, '# Rebuttal\n\n## Rebuttal\n\nFewer than ten in a hundred would.\n')
    }
    const sharpened = v === 13 ? 3 : target // H4 is killed by then
    this.delta(writers[v % 2], 'A sharper mechanism', block('EDIT', 'hypothesis_slate', `H${sharpened}`, { mechanism: `It acts through the membrane, as round ${v} shows.` }))
    if (v === 13) this.delta(writers[(v + 1) % 2], 'Another mechanism', block('EDIT', 'hypothesis_slate', `H${sharpened}`, { mechanism: 'It acts through the nucleus: the membrane was washed away.' }))
    this.delta(writers[1], `Result of T${v - 1}`, block('EDIT', 'discriminative_tests', `T${v - 1}`, { status: 'passed', last_run: { outcome: outcomes[v % 3], exploratory: v === 7 } }))
    if (v === 6) this.delta(writers[1], 'A late prediction', block('EDIT', 'discriminative_tests', 'T3', { expected_outcomes: { H2: outcomes[0] } }))
    if (v === 9) this.delta(writers[2], 'A test too many', block('KILL', 'discriminative_tests', 'T30', { reason: 'The sheets of stage 32 are too small to count (P40).' }))
    if (v === 8 || v === 11) this.delta(writers[2], 'A kill', block('KILL', 'hypothesis_slate', v === 8 ? 'H6' : 'H4', { reason: v === 8 ? 'Five sheets in fresh medium turned as the others did, so that the medium cannot be what differs (T7).' : 'T9 and T10 were done on sheets that nobody stretched, and they turned.' }))
    for (let i = 0; i < 12; i++) this.post(writers[i % 3][0], `INFO: Note ${i + 1} of round ${v}`, '# Note\n\nStaining goes on; nothing to decide.\n')
  }
}

function kickoff() {
  const rows = writers.map(([name, program, model, role]) => `| ${name} | ${role} | ${program} | ${model} |`)
  return ['# Cells turn', '## Research Question', 'Why do cells of the late blastula keep their fate when they are moved, although cells of the early one lose it?',
    '## Session Configuration', '**Roster Mode**: role_separated', `| Agent | Role | Program | Model |\n|---|---|---|---|\n${rows.join('\n')}`,
    '## Context', 'Two laboratories report opposite results.', ''].join('\n\n')
}

export async function makeLarge(brenner, dir, env) {
  const project = new Project(brenner, dir, env)
  const scribe = new Scribe(project)
  scribe.post('Operator', `KICKOFF: [${largeThread}] Cells turn`, kickoff())
  scribe.delta(writers[0], 'Six explanations', ...explanations.map(([name, claim], i) => block('ADD', 'hypothesis_slate', null, {
    name, claim, mechanism: 'It acts through the membrane.', anchors: ['inference'], ...(i === 5 ? { third_alternative: true } : {}),
  })))
  scribe.tests(0, 6)
  scribe.predictions(0, 10)
  await scribe.compile()
  for (let v = 2; v <= 13; v++) {
    scribe.round(v)
    await scribe.compile()
  }
  const { critiques } = JSON.parse(await project.run('critique', 'list', largeThread, '--json'))
  await project.run('critique', 'promote', String(critiques.find((critique) => critique.state === 'open').message_id))
  await project.run('session', 'start', '--thread', begunThread, '--question', 'Why do worms turn left?', '--context', 'Seen in 40 of 50 worms.', '--to', 'BlueLake', '--to', 'RedSky')
  return project
}
