// A project as people have it, made by the program itself: the demo's session, complete at v2, and one that is at
// work, with a published version, an open critique, a delta that waits and one that cannot be read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { finish } from './process.mjs'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

export const work = 'RS-20251230-cell-fate-memory'

export async function makeProject(brenner, dir, env) {
  const project = new Project(brenner, dir, env)
  await project.run('demo', '--dir', dir)
  project.demo = JSON.parse(await project.run('session', 'list', '--json')).sessions[0].thread_id
  await project.run('thread', 'import', join(examples, 'thread.jsonl'))
  await project.run('compile', work)
  await project.send('RedSky', 'CRITIQUE: The delay was never measured', critique)
  await project.send('PurpleMountain', 'DELTA[opus]: A fourth way', delta('A clock in the cell', `${project.demo}#H2`))
  await project.send('BlueLake', 'INFO: Forty cells are ready', '# Ready\n\nForty cells are on the far side since this morning.\n', 'urgent')
  await project.broken()
  return project
}

export class Project {
  constructor(brenner, dir, env) {
    Object.assign(this, { brenner, dir, env })
  }

  // run is another process on the same project.
  run(...args) {
    return finish(this.brenner, args[0] === 'demo' ? args : [...args, '--project', this.dir], { env: this.env, cwd: this.dir })
  }

  git(...args) {
    return finish('git', ['-C', this.dir, ...args], { env: this.env })
  }

  send(from, subject, body, importance = 'normal', thread = work) {
    const args = ['mail', 'send', '--from', from, '--to', 'Operator', '--thread', thread, '--subject', subject, '--body', '-', '--importance', importance, '--project', this.dir]
    return finish(this.brenner, args, { env: this.env, input: body })
  }

  // import takes in message lines, as mail from elsewhere.
  import(lines) {
    return finish(this.brenner, ['thread', 'import', '-', '--project', this.dir], { env: this.env, input: lines.map((line) => JSON.stringify(line)).join('\n') })
  }

  // broken is a delta with a comma too many, which the door would have refused.
  broken() {
    return this.import([{
      thread_id: work, from: 'BlueLake', to: ['Operator'], subject: 'DELTA[gpt]: In a hurry', created_ts: new Date().toISOString().replace('Z', '000Z'),
      body_md: delta('Wind').replace('"ADD"', '"ADD",'),
    }])
  }
}

export function delta(name, refined) {
  const payload = { name, claim: 'Fate is counted, not read.', mechanism: 'An oscillator that is divided with the cell.', anchors: ['inference'] }
  if (refined) {
    const [session, item] = refined.split('#')
    payload.references = [{ session, item, relation: 'extends' }]
  }
  const block = { operation: 'ADD', section: 'hypothesis_slate', target_id: null, payload, rationale: 'Fireflies count as well.' }
  return '# Delta Contribution\n\nOne more way to know.\n\n## Deltas\n\n```delta\n' + JSON.stringify(block, null, 2) + '\n```\n'
}

const critique = readFileSync(new URL('./critique.md', import.meta.url), 'utf8')
