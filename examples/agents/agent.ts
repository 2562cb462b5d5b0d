// The same with the SDK of MCP, in TypeScript: node agent.ts SERVER THREAD NAME
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const [server, thread, name]: string[] = process.argv.slice(2)
const headers: Record<string, string> = process.env.BRENNER_TOKEN ? { Authorization: `Bearer ${process.env.BRENNER_TOKEN}` } : {}
const client = new Client({ name: 'agent-example', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/?tools=session', server), { requestInit: { headers } }))

type Turn = { prompt: string; round: number }
const turn = (await (await fetch(`${server}/api/v1/sessions/${thread}/ask/${name}`, { headers })).json()) as Turn
const words = turn.prompt.split(/\s+/).length // here your model, your rules or your instrument reads the prompt
const payload = { name: 'Memory', claim: 'Cells remember.', mechanism: 'A mark is copied.', anchors: ['inference'] }
const delta = { operation: 'ADD', section: 'hypothesis_slate', rationale: `After ${words} words of round ${turn.round}.`, payload }
const answer = await client.callTool({ name: 'brenner_submit', arguments: { thread_id: thread, sender_name: name, deltas: [delta] } })
console.log(JSON.stringify(answer.structuredContent))
await client.close()
