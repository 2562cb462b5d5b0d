// A question that numbers decide: six explanations with a seventh given up, measurements against what each expected of them, a result that
// was replaced, one that was repeated, one whose control failed, one that nobody had foreseen, a prediction that was rewritten afterwards,
// and an attack on the whole question. What the agents say is invented.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Project } from './project.mjs'

export const measuredThread = 'RS-20261102-expansion-rate'

const agents = [['BlueLake', 'claude-code', 'opus-4.5', 'hypothesis_generator', 'opus'], ['PurpleMountain', 'claude-code', 'sonnet-4.5', 'test_designer', 'opus'],
  ['RedSky', 'codex-cli', 'gpt-5.1', 'adversarial_critic', 'gpt'], ['GreenValley', 'gemini-cli', 'gemini-3-pro', 'test_designer', 'gemini']]

const explanations = [
  ['Cepheids are off', 'Crowding and dust make Cepheids look too bright, so near galaxies seem nearer than they are.'],
  ['New early physics', 'Extra energy sped up the young Universe, so the ruler in the microwave background is shorter than computed.'],
  ['Supernovae differ', 'Galaxies with Cepheids are younger and dustier, so their supernovae are not those of the far sample.'],
  ['We live in a void', 'Our surroundings are emptier than the rest, so that everything near recedes too fast.'],
  ['Microwaves misread', 'An error in the maps or their analysis lowers the value for the early Universe.'],
  ['Late dark energy', 'Expansion picked up at late times more than a cosmological constant allows.'],
]

const rate = { unit: 'km/s/Mpc', range: [60, 80], sd: 1.5, name: 'expansion rate' }
const score = { likelihood_ratio: 2, cost: 2, speed: 2, ambiguity: 3 }
const expects = (...cells) => Object.fromEntries(cells.map((cell, i) => [`H${i + 1}`, cell]).filter(([, cell]) => cell))
const tests = [
  ['Cepheids again, with sharper eyes', { unit: 'mag', range: [-0.2, 0.4], sd: 0.03 }, expects('0.15 ± 0.05', '0 ± 0.03', '0 ± 0.03', '0 ± 0.03', '0 ± 0.03', '0 ± 0.03'), 'An anchor galaxy must come out alike.'],
  ['Red giants instead of Cepheids', rate, expects('67.5 ± 1', '73 ± 1', '73 ± 1.5', '73 ± 1', '73 ± 1', '73 ± 1'), 'The anchor must agree.'],
  ['Water masers, no ladder', rate, expects('67.5 ± 1', '73 ± 1', '67.5 ± 1', '73 ± 1.5', '73 ± 1', '72 ± 1.5'), 'The nearest disc must agree.'],
  ['The microwave background without Planck', rate, expects('67.5 ± 0.7', '67.5 ± 1', '67.5 ± 0.7', '67.5 ± 0.7', '72 ± 2', '67.5 ± 1'), 'Calibration on the dipole.'],
  ['Delays in lensed quasars', rate, expects('67.5 ± 1', '73 ± 1.5', '67.5 ± 1', '67.5 ± 1.5', '73 ± 1.5', '70 ± 2'), ''],
  ['A step at the edge of the void', null, expects('no step', 'no step', 'no step', 'a step of 5 to 9 %', 'no step', 'no step'), ''],
  ['Sound waves in galaxies, no background', rate, expects('67.5 ± 1', '68 ± 1', '67.5 ± 1', '67.5 ± 1', '72 ± 2', '68 ± 1.5'), 'Mock surveys must be recovered.'],
  ['Ages of the oldest stars', { unit: 'Gyr', range: [11, 15], sd: 0.3 }, expects('13.8 ± 0.2', '13.1 ± 0.3', '13.8 ± 0.2', '13.8 ± 0.2', '12.8 ± 0.3', '13.5 ± 0.3'), 'The nearest cluster must match its white dwarfs.'],
  ['The late expansion, step by step', null, expects('a constant fits', 'a constant fits', 'a constant fits', 'a constant fits', 'a constant fits', 'it picks up late'), 'The six distances must agree in the middle.'],
  ['Skip the supernovae', rate, expects('67.5 ± 1', '73 ± 1', '67.5 ± 1', '', '73 ± 1', '72 ± 1.5'), 'The ladder must give the distance of Virgo.'],
  ['The mark of early energy in sharper maps', { unit: '%', range: [-10, 30], sd: 2 }, expects('0 ± 2', '10 ± 3', '0 ± 2', '', '0 ± 2', '0 ± 2'), 'A map with a known mark.'],
]

const block = (operation, section, target, payload, rationale = 'It follows from what was said.') =>
  '```delta\n' + JSON.stringify({ operation, section, target_id: target, payload, rationale }, null, 1) + '\n```\n\n'
const believes = (credences, rationale) => '```belief\n' + JSON.stringify({ credences, rationale }) + '\n```\n'

class Diary {
  constructor(project) {
    Object.assign(this, { project, lines: [], ids: 0, at: Date.now() - 12 * 86400_000 })
  }

  post(from, subject, body, minutes = 240) {
    this.at += minutes * 60_000
    this.lines.push({ thread_id: measuredThread, from, to: ['Operator'], subject, body_md: body, created_ts: new Date(this.at).toISOString().replace('Z', '000Z') })
    return ++this.ids
  }

  delta([from, , , , word], title, ...blocks) { return this.post(from, `DELTA[${word}]: ${title}`, `# Delta\n\n${blocks.join('')}`) }

  result(who, test, title, run) {
    return this.delta(who, title, block('EDIT', 'discriminative_tests', test, { status: 'passed', last_run: run }, run.note ?? 'It was measured.'))
  }

  async compile() {
    await this.project.import(this.lines)
    this.lines = []
    await this.project.run('compile', measuredThread)
    this.ids++
  }
}

function kickoff() {
  const rows = agents.map(([name, program, model, role]) => `| ${name} | ${role} | ${program} | ${model} |`)
  return ['# Expansion', '## Research Question', 'Why do measurements of the Hubble constant disagree?',
    '## Session Configuration', '**Roster Mode**: role_separated', `| Agent | Role | Program | Model |\n|---|---|---|---|\n${rows.join('\n')}`,
    '## Context', 'Near galaxies give 73, the early Universe gives 67.', ''].join('\n\n')
}

const critique = (target, attack, severity) => `# Critique\n\n## Target\n\n**Item**: ${target}\n\n## Attack\n\n${attack}\n\n## Evidence\n\nNone.\n\n## Severity\n\n${severity}\n`

async function sources(project) {
  const titles = ['Riess et al. 2024', 'Freedman 2021', 'Pesce et al. 2020', 'Aiola et al. 2020', 'Wong et al. 2020', 'Kenworthy et al. 2019', 'Alam et al. 2021', 'Birrer et al. 2020', 'Valcin et al. 2021', 'Balkenhol et al. 2023', 'DESI 2024']
  for (const [i, title] of titles.entries()) {
    const file = join(project.dir, `paper-${i + 1}.txt`)
    writeFileSync(file, `${title}\n\nWe find a value of H0 = ${60 + i}.9 and discuss what it means for the expansion of the Universe.\n`)
    await project.run('evidence', 'add', file, '--title', title)
  }
}

export async function makeMeasured(brenner, dir, env) {
  const project = new Project(brenner, dir, env)
  await project.run('init')
  await sources(project)
  const d = new Diary(project)
  const [blue, purple, red, green] = agents
  const operator = ['Operator', '', '', '', 'human']
  d.post('Operator', `KICKOFF: [${measuredThread}] Expansion`, kickoff())
  d.delta(blue, 'Six explanations', ...explanations.map(([name, claim], i) => block('ADD', 'hypothesis_slate', null, {
    name, claim, mechanism: 'As the claim says; see the notes.', anchors: i === 4 ? ['inference'] : [`EV-00${i + 1}`], ...(i === 5 ? { third_alternative: true } : {}),
  })))
  d.delta(purple, 'Eleven tests', ...tests.map(([name, quantity, expected, control]) => block('ADD', 'discriminative_tests', null, {
    name, procedure: 'As in the paper it rests on, with the same cuts.', discriminates: 'H1 vs H2 vs H3', expected_outcomes: expected,
    potency_check: control || 'None is known.', score, ...(quantity ? { quantity } : {}),
  })))
  const start = [[blue, 26, 16, 30, 'Cepheids have been wrong before; early physics is the simplest change.'], [red, 14, 26, 34, 'The ladder has many rungs, the early Universe one formula.'],
    [green, 24, 18, 22, 'Void counts vary by a factor of three between surveys.'], [purple, 30, 14, 28, 'Three methods agree on the high side.']]
  for (const [who, h2, h3, h1, why] of start) {
    d.post(who[0], 'INFO: What I believe', '# What I believe\n\n' + believes({ H2: h2 / 100, H3: h3 / 100, H1: h1 / 100, H4: 0.08, H5: 0.08, H6: 0.06 }, why), 20)
  }
  await d.compile()
  d.result(operator, 'T6', 'No step at the edge', { outcome: 'no step', evidence: ['EV-006'], performed: '2019-06-01' })
  const first = d.result(operator, 'T4', 'Without Planck', { value: '67.9 ± 1.5', evidence: ['EV-004'], potency: 'passed', performed: '2020-07-01' })
  d.delta(green, 'The void has no edge', block('KILL', 'hypothesis_slate', 'H4', { reason: 'T6 found no step at 300 Mpc, where a void deep enough must end.' }))
  await d.compile()
  d.result(red, 'T3', 'Masers', { value: '73.9 ± 3.0', evidence: ['EV-003'], potency: 'passed', performed: '2020-02-01' })
  const lens = d.result(green, 'T5', 'Six lenses', { value: '73.3 +1.7 -1.8', evidence: ['EV-005'], performed: '2020-03-01' })
  d.delta(red, 'H3 on the masers', block('EDIT', 'discriminative_tests', 'T3', { expected_outcomes: { H3: '71 ± 3' } }, 'The hosts are mixed.'))
  d.result(operator, 'T1', 'Webb sees what Hubble saw', { value: '-0.01 ± 0.03', evidence: ['EV-001'], potency: 'passed', performed: '2024-01-01' })
  d.result(blue, 'T7', 'Sound waves', { value: '67.35 ± 0.97', evidence: ['EV-007'], performed: '2021-04-01' })
  await d.compile()
  d.result(operator, 'T5', 'The lenses, corrected', { value: '67.4 +4.1 -3.2', evidence: ['EV-008'], performed: '2020-11-01', note: 'The mass profiles of the lenses are no longer assumed.' })
  d.result(operator, 'T2', 'Red giants', { value: '69.8 ± 1.7', evidence: ['EV-002'], potency: 'passed', performed: '2021-09-01' })
  d.result(red, 'T8', 'Oldest stars', { value: '13.5 ± 0.3', evidence: ['EV-009'], potency: 'failed', performed: '2021-08-01', note: 'The nearest cluster came out 1.1 Gyr younger than its white dwarfs.' })
  d.result(red, 'T4', 'The south pole agrees', { value: '68.3 ± 1.5', evidence: ['EV-010'], potency: 'passed', performed: '2023-05-01', replicates: first })
  d.result(operator, 'T9', 'Not what anybody had foreseen', { unforeseen: 'the expansion lags at late times, the other way than H6 needs', evidence: ['EV-011'], performed: '2024-04-01' })
  await d.compile()
  d.post(purple[0], 'CRITIQUE: Two values may both be right', critique('The question', 'Two volumes may have two rates; the question takes one for granted.', 'Minor'))
  const attack = d.post(red[0], 'CRITIQUE: It makes matter clump too much', critique('H2', 'Energy added early and large enough to reach 73 also makes galaxies cluster more strongly today. Maps of weak lensing show less clustering, not more.', 'Critical'))
  const asked = d.post(blue[0], 'QUESTION: May I use the Webb archive for T10?', '# Question\n\nProposals 1685 and 3055 are public since October. Reading them takes two days.\n', 60)
  d.delta(green, 'Its control, said anew', block('EDIT', 'discriminative_tests', 'T10', { potency_check: 'Red giants must give the distance of the Virgo cluster, within 3 %, before any far galaxy is looked at.' }))
  d.delta(green, 'No maps yet', block('EDIT', 'discriminative_tests', 'T11', { status: 'blocked', last_run: { note: 'no maps before 2028' } }))
  await project.import(d.lines)
  return Object.assign(project, { first, lens, attack, asked })
}
