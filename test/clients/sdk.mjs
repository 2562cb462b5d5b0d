// The official TypeScript SDK, which follows the specification to the letter.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

async function connect(target) {
  const client = new Client({ name: 'brenner-clients', version: '1' })
  await client.connect(target.url ? new StreamableHTTPClientTransport(new URL(target.url)) : new StdioClientTransport({ ...target, stderr: 'inherit' }))
  return client
}

// call calls a tool that has to work. The SDK checks the answer against the tool's own output schema.
async function call(client, name, args) {
  const answer = await client.callTool({ name, arguments: args })
  assert.ok(!answer.isError, `${name}: ${JSON.stringify(answer.content)}`)
  return answer.structuredContent
}

// specClient connects, lists everything, and uses something of each kind.
export async function specClient(target, project) {
  const client = await connect(target)
  try {
    const { tools } = await client.listTools()
    const joined = await call(client, 'macro_start_session', { human_key: project, program: 'claude-code', model: 'opus', agent_name: 'BlueLake' })
    assert.equal(joined.agent.name, 'BlueLake')
    await call(client, 'send_message', { project_key: project, sender_name: 'BlueLake', to: ['BlueLake'], subject: 'hello', body_md: 'to myself' })
    const inbox = await call(client, 'fetch_inbox', { project_key: project, agent_name: 'BlueLake' })
    assert.equal(inbox.result[0].subject, 'hello')
    const refused = await client.callTool({ name: 'whois', arguments: { project_key: project, agent_name: 'Nobody' } })
    assert.equal(refused.structuredContent.error.code, 'UNKNOWN_AGENT')
    const { contents } = await client.readResource({ uri: `resource://inbox/BlueLake?project=${encodeURIComponent(project)}` })
    assert.equal(JSON.parse(contents[0].text).agent, 'BlueLake')
    const { prompts } = await client.listPrompts()
    const { messages } = await client.getPrompt({ name: prompts[0].name })
    assert.ok(messages.length > 0)
    const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: prompts[0].name }, argument: { name: 'agent_name', value: 'blue' } })
    assert.deepEqual(completion.values, ['BlueLake'])
    return `${tools.length} tools, ${prompts.length} prompts`
  } finally {
    await client.close()
  }
}

const delta = `## Deltas

\`\`\`delta
{
  "operation": "ADD",
  "section": "hypothesis_slate",
  "target_id": null,
  "payload": {
    "name": "Memory",
    "claim": "Cells remember their last division.",
    "mechanism": "A slow protein keeps the record.",
    "anchors": ["inference"]
  },
  "rationale": "It explains the delay."
}
\`\`\`
`

// wholeSession lets two agents work over different transports while a third waits.
export async function wholeSession(brenner, url, project, env) {
  const one = await connect({ url })
  const two = await connect({ command: brenner, args: ['mcp', '--as', 'RedFox'], cwd: project, env })
  const third = await connect({ url })
  const thread = 'RS-20260102-memory-of-cells'
  try {
    await call(one, 'macro_start_session', { human_key: project, program: 'codex-cli', model: 'gpt-5', agent_name: 'GreenHill' })
    await call(two, 'register_agent', { project_key: project, program: 'claude-code', model: 'opus', name: 'RedFox' })
    await call(one, 'register_agent', { project_key: project, program: 'gemini-cli', model: 'gemini', name: 'GrayOwl' })
    await call(one, 'send_message', {
      project_key: project, sender_name: 'GreenHill', to: ['RedFox'], thread_id: thread, subject: `KICKOFF: [${thread}] memory of cells`,
      body_md: '# Kickoff\n\n## Research Question\n\nDo cells remember?\n\n## Context\n\nTwo fates, one delay.\n\n## Excerpt\n\n> §12 of the transcript.\n\n## Requested Outputs\n\nHypotheses.\n',
      ack_required: true,
    })
    const arrival = call(third, 'brenner_wait', { project_key: project, agent_name: 'GrayOwl', timeout_seconds: 20 }).then((answer) => ({ answer, at: Date.now() }))
    const sent = await call(two, 'brenner_submit', { project_key: project, sender_name: 'RedFox', thread_id: thread, to: ['GreenHill', 'GrayOwl'], subject: 'DELTA[opus]: memory', body_md: delta })
    const done = Date.now()
    assert.equal(sent.receipt.accepted, 1, JSON.stringify(sent))
    const { answer, at } = await arrival
    assert.equal(answer.status, 'arrived')
    const compiled = await call(one, 'brenner_compile', { project_key: project, sender_name: 'GreenHill', thread_id: thread })
    assert.equal(compiled.version, 1)
    const artifact = await call(two, 'brenner_artifact', { project_key: project, thread_id: thread })
    assert.match(artifact.markdown, /Cells remember their last division/)
    return `woken ${Math.max(0, at - done)} ms after the send returned`
  } finally {
    await Promise.all([one.close(), two.close(), third.close()])
  }
}
