// A project in which every text that an agent can write is hostile: scripts, handlers, links that run, markup that
// closes what is around it, marks that turn the direction of text, and fields of tens of thousands of characters.
import { Project } from './project.mjs'
import { finish } from './process.mjs'

export const hostileThread = 'RS-20260214-hostile-texts'

let count = 0
// bad is a text that does harm wherever it is taken for markup; each has its own number, so that a finding says which.
export function bad(where) {
  const n = ++count
  const run = `window.harmed=(window.harmed||[]).concat('${where} ${n}')`
  return `${where} "><script>${run}</script><img src=x onerror="${run}"><svg/onload="${run}"></textarea></title><a href="javascript:${run}">click</a>` +
    `<style>*{display:none}</style><base href="https://example.org/"><iframe srcdoc="<script>parent.${run}</script>"></iframe>{{.}}\${1}` +
    `\u202Egnp.exe\u202C\u2066\u200F\u0000`.replace('\u0000', '') + `' onmouseover='${run}' x='`
}

const huge = (where) => `${where} ${'W'.repeat(3000)} ${'word '.repeat(8000)}`

function markdown(where) {
  const run = `window.harmed=(window.harmed||[]).concat('${where}')`
  return [
    `# ${bad(where)}`, `[a link](javascript:${run})`, `[another](JaVaScRiPt:${run})`, `[data](data:text/html,<script>${run}</script>)`, `[away](https://example.org/x)`,
    `![picture](https://example.org/pixel.png)`, `![run](javascript:${run})`, `<javascript:${run}>`, `<https://example.org/auto>`,
    `<div onclick="${run}">html</div>`, `<script>${run}</script>`, `<details ontoggle="${run}" open>x</details>`, `<meta http-equiv="refresh" content="0;url=https://example.org/">`,
    `<link rel="stylesheet" href="https://example.org/x.css">`, `<form action="https://example.org/"><button>go</button></form>`,
    `| a | b |\n|---|---|\n| ${bad(where + ' cell')} | x |`, `\`\`\`html"><script>${run}</script>\n<script>${run}</script>\n\`\`\``, `> ${'>'.repeat(200)} deep`, `${'*'.repeat(500)}x`, huge(where), `[x]: javascript:${run}`, `[ref][x]`,
  ].join('\n\n')
}

function block(section, payload, extra = {}) {
  return '```delta\n' + JSON.stringify({ operation: 'ADD', section, target_id: null, payload, rationale: bad(`${section} rationale`), ...extra }, null, 1) + '\n```'
}

function deltas() {
  const all = (names, where) => Object.fromEntries(names.map((name) => [name, bad(`${where} ${name}`)]))
  return [
    block('hypothesis_slate', { ...all(['name', 'claim', 'mechanism'], 'H1'), anchors: [bad('H1 anchor'), 'inference'] }),
    block('hypothesis_slate', { ...all(['name', 'claim'], 'H2'), mechanism: huge('H2 mechanism'), anchors: ['inference'], third_alternative: true }),
    block('hypothesis_slate', { ...all(['name', 'claim', 'mechanism'], 'H3'), anchors: ['inference'], references: [{ session: bad('reference'), item: 'H1', relation: 'extends' }] }),
    block('predictions_table', { condition: bad('P1 condition'), predictions: { H1: bad('P1 H1'), H2: bad('P1 H2'), H3: huge('P1 H3') } }),
    block('discriminative_tests', {
      ...all(['name', 'procedure', 'discriminates', 'potency_check', 'feasibility', 'status'], 'T1'), expected_outcomes: { H1: bad('T1 H1'), H2: bad('T1 H2') },
      score: { likelihood_ratio: 3, cost: 2, speed: 2, ambiguity: 3 },
    }),
    block('assumption_ledger', { ...all(['name', 'statement', 'load', 'test', 'status', 'calculation', 'implication'], 'A1'), scale_check: true }),
    block('anomaly_register', { ...all(['name', 'observation', 'resolution_plan', 'status'], 'X1'), conflicts_with: ['H1', bad('X1 conflict')], evidence_refs: [bad('X1 evidence')] }),
    block('adversarial_critique', { ...all(['name', 'attack', 'evidence', 'current_status', 'proposed_alternative'], 'C1'), real_third_alternative: true }),
    block('research_thread', { statement: bad('RT statement'), context: bad('RT context'), why_it_matters: bad('RT why'), anchors: [bad('RT anchor')] }, { operation: 'EDIT', target_id: 'RT' }),
    '```delta\n{"operation": "' + bad('broken').replaceAll('"', '\\"') + '", }\n```',
    block(bad('no section'), { name: 'x' }),
  ].join('\n\n')
}

export async function makeHostile(brenner, dir, env) {
  const project = new Project(brenner, dir, env)
  await finish('git', ['-C', dir, 'init', '-q'], { env })
  for (const name of ['Mallory', 'Eve']) {
    await project.run('mail', 'register', name, '--program', 'codex-cli', '--task', bad(`${name} task`))
  }
  let second = 0
  const line = (values) => ({
    thread_id: hostileThread, from: 'Mallory', to: ['Operator', 'Eve'], created_ts: `2026-02-14T09:00:${String(second++).padStart(2, '0')}.000000Z`, ...values,
  })
  const kickoff = `# ${bad('title')}\n\n## Research Question\n${bad('question')}\n\n## Context\n${bad('context')}\n\n## Excerpt\n> ${bad('excerpt')}\n\n` +
    `## Roster\n\n\`\`\`json\n${JSON.stringify({ entries: [{ agentName: 'Mallory', role: 'hypothesis_generator', notes: bad('notes') }], mode: 'unified', name: bad('roster name') })}\n\`\`\`\n`
  await project.import([
    line({ from: 'Operator', to: ['Mallory', 'Eve'], subject: `KICKOFF: ${bad('kickoff')}`.slice(0, 400), body_md: kickoff, ack_required: true }),
    line({ subject: `DELTA[gpt]: ${bad('delta')}`, body_md: `# Delta Contribution\n\n${bad('preface')}\n\n## Deltas\n\n${deltas()}\n` }),
    line({ subject: `CRITIQUE: ${bad('critique')}`, body_md: `# Critique\n\n## Target\n\n${bad('target')}\n\n## Attack\n\n${markdown('attack')}\n\n## Evidence\n\n${bad('evidence')}\n\n## Severity\n\n${bad('severity')}\n` }),
    line({ subject: `INFO: ${bad('info')}`, body_md: markdown('body'), importance: 'urgent', ack_required: true }),
    line({ subject: `INFO: ${'W'.repeat(2000)}`, body_md: huge('body') }),
    line({ from: bad('sender').slice(0, 60), subject: bad('no type'), body_md: bad('body') }),
    line({ thread_id: bad('thread').replace(/[/\\]/g, '').slice(0, 100), subject: 'INFO: elsewhere', body_md: markdown('elsewhere') }),
  ])
  await project.run('compile', hostileThread, '--summary', bad('summary').slice(0, 150))
  await project.import([
    line({ subject: 'DELTA[gpt]: Kill', body_md: '# Delta Contribution\n\n## Deltas\n\n' + block('hypothesis_slate', { reason: bad('kill') }, { operation: 'KILL', target_id: 'H1' }) + '\n\n' +
      block('hypothesis_slate', { claim: bad('edit') }, { operation: 'EDIT', target_id: 'H2' }) + '\n' }),
  ])
  await project.run('compile', hostileThread)
  return project
}
