// Exports the demo's session as a crate and reads it with an RO-Crate library that knows nothing of brenner: it must find
// every file and what the metadata says of it. Then the same checks meet metadata that is wrong, and have to notice.
//
//   node run.mjs PATH/TO/brenner
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { unzipSync } from 'fflate'
import { ROCrate } from 'ro-crate'

const brenner = resolve(process.argv[2])
const scratch = mkdtempSync(join(tmpdir(), 'brenner-crate-'))
const run = (...args) => JSON.parse(execFileSync(brenner, [...args, '--json'], {
  cwd: scratch, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: scratch, NO_COLOR: '1', TMPDIR: scratch },
}))

// look reads a crate with the library and compares it with the files.
function look(metadata, files, about) {
  const crate = new ROCrate(metadata, { array: true, link: true })
  const root = crate.rootDataset
  assert.equal(crate.metadataFileEntity.conformsTo[0]['@id'], 'https://w3id.org/ro/crate/1.2')
  for (const key of ['name', 'description', 'datePublished', 'license']) assert.ok(root[key]?.[0], `the root has no ${key}`)
  assert.match(root.datePublished[0], /^\d{4}-\d{2}-\d{2}$/)
  assert.equal(root.identifier[0], about.thread_id)
  const frame = ['ro-crate-metadata.json', 'ro-crate-preview.html', 'manifest.sha256', 'manifest.sha256.sig']
  const parts = root.hasPart.map((part) => decodeURIComponent(part['@id'])).sort()
  assert.deepEqual(parts, Object.keys(files).filter((name) => !frame.includes(name)).sort())
  for (const part of root.hasPart) {
    const content = files[decodeURIComponent(part['@id'])]
    assert.deepEqual(part['@type'], ['File'])
    assert.equal(part.contentSize[0], String(content.length))
    assert.equal(part.sha256[0], createHash('sha256').update(content).digest('hex'))
    assert.ok(part.name[0] && part.encodingFormat[0])
  }
  const compile = root.mentions.find((entity) => entity['@type'].includes('CreateAction'))
  const agents = compile.instrument.map((agent) => agent.name[0])
  for (const agent of compile.instrument) assert.deepEqual(agent['@type'], ['SoftwareApplication'])
  return { parts: parts.length, agents }
}

try {
  const demo = run('demo')
  const file = join(scratch, 'crate.zip')
  const done = run('--project', demo.project, 'export', demo.thread_id, '--crate', file)
  const files = unzipSync(readFileSync(file))
  const text = Buffer.from(files['ro-crate-metadata.json']).toString()
  const found = look(JSON.parse(text), files, done)
  assert.equal(Object.keys(files).length, done.files)
  assert.equal(files['artifact.json'] && JSON.parse(Buffer.from(files['artifact.json'])).metadata.artifact_hash, done.artifact_hash)
  console.log(`ok    ro-crate reads ${found.parts} parts, made by ${found.agents.join(', ')}`)
  const wrong = {
    'a file that is not described': (m) => m['@graph'].find((e) => e['@id'] === './').hasPart.pop(),
    'another hash': (m) => { m['@graph'].find((e) => e['@id'] === 'thread.jsonl').sha256 = '0'.repeat(64) },
    'no licence': (m) => { delete m['@graph'].find((e) => e['@id'] === './').license },
  }
  for (const [name, spoil] of Object.entries(wrong)) {
    const metadata = JSON.parse(text)
    spoil(metadata)
    assert.throws(() => look(metadata, files, done), name)
    console.log(`ok    notices ${name}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
