// A stand-in for the services that models live behind: Anthropic's Messages, OpenAI's Responses and
// chat completions, and Gemini's generateContent, each with streaming, on loopback. What it answers comes from a script, a
// function of what the program has seen so far, so that the real programs can be led through whole turns
// without a model. It speaks no more of each service than the programs need.
import { createServer } from 'node:http'

// A turn is a request to a model, the same for all services:
//   service  anthropic, openai, gemini or chat
//   model    what the program asked for
//   text     everything that was said to the model, in one string
//   tools    names of the tools it may call, as the program calls them
//   calls    the calls so far: { tool, input, output, failed }
// A script answers { say: text } or { call: tool, input }, the tool by the name that brenner gives it, { tool, input } for one of the
// program's own, or { status, error } for a service that refuses. after is how many milliseconds that takes.

// startModel listens on loopback. script gets each turn that can call a tool of brenner; the small requests
// that programs make on the side (a title, who speaks next) are answered without it.
export async function startModel(script) {
  const seen = []
  const web = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (data) => { body += data }).on('end', () => {
      try {
        answer(request, response, body)
      } catch (error) {
        seen.push({ error })
        response.writeHead(500, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ error: { message: String(error.stack ?? error), type: 'invalid_request_error' } }))
      }
    })
  })

  function answer(request, response, body) {
    const path = new URL(request.url, 'http://x').pathname
    const service = services.find((each) => request.method === 'POST' && each.path.test(path))
    if (!service) {
      seen.push({ other: `${request.method} ${path}` })
      response.writeHead(404, { 'Content-Type': 'application/json' })
      response.end('{"error":{"message":"not here","type":"not_found_error"}}')
      return
    }
    const asked = JSON.parse(body)
    const turn = service.read(asked, path)
    const mine = turn.tools.some((name) => bare(name) !== undefined) || service === chat && turn.tools.length === 0
    const finder = turn.tools.find((name) => finders.includes(name))
    if (!mine && finder && turn.text.includes('brenner_submit')) { // where Claude Code hides what came late, and Qwen Code all of it
      const hidden = ['acknowledge_message', 'fetch_inbox', 'send_message', 'brenner_submit', 'brenner_wait'].map((name) => `mcp__brenner__${name}`)
      seen.push({ turn, wish: { call: finder }, aside: true })
      service.write(response, asked, path, { name: finder, input: { query: `select:${hidden}`, max_results: 10 }, id: `search_${seen.length}` })
      return
    }
    const wish = mine ? script(turn) : { say: asked.generationConfig?.responseJsonSchema ? '{"next_speaker":"user","reasoning":"done"}' : 'Cells.' }
    seen.push({ turn, wish, aside: !mine, bytes: body.length })
    if (wish.status) { // the service takes none of it
      response.writeHead(wish.status, { 'Content-Type': 'application/json', 'retry-after': '2' })
      response.end(JSON.stringify({ type: 'error', error: { code: wish.status, status: wish.status === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAUTHENTICATED', message: wish.error, type: wish.status === 429 ? 'rate_limit_error' : 'authentication_error' } }))
      return
    }
    if (wish.after) {
      setTimeout(() => tell(response, asked, path, service, turn, wish), wish.after)
      return
    }
    tell(response, asked, path, service, turn, wish)
  }

  // tell writes what the model does.
  function tell(response, asked, path, service, turn, wish) {
    if (wish.tool !== undefined) { // one of the program's own
      service.write(response, asked, path, { name: wish.tool, input: wish.input, id: `call_${turn.calls.length + 1}` })
      return
    }
    if (wish.call !== undefined) {
      const name = turn.tools.find((each) => bare(each) === wish.call)
      if (name === undefined) throw new Error(`the program offers no tool ${wish.call}: ${turn.tools}`)
      service.write(response, asked, path, { name, input: wish.input, id: `call_${turn.calls.length + 1}` })
      return
    }
    service.write(response, asked, path, { say: wish.say })
  }

  await new Promise((done, fail) => {
    web.on('error', fail)
    web.listen(0, '127.0.0.1', done)
  })
  return {
    url: `http://127.0.0.1:${web.address().port}`,
    seen,
    stop: () => new Promise((end) => { web.close(end); web.closeAllConnections() }),
  }
}

// bare is what brenner calls a tool that a program offers under a name of its own; undefined: it is not
// one of brenner's.
export function bare(name) {
  return /^(?:mcp_+)?brenner_+(.+)$/.exec(name)?.[1]
}

// finders are the tools with which programs find those that they do not show at once.
const finders = ['ToolSearch', 'tool_search']

function events(response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
  return (data, event) => response.write(`${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`)
}

function plain(response, data) {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(data))
}

// textOf flattens what services call content: a string, a part, or a list of parts.
function textOf(content) {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  return content?.text ?? (content?.content === undefined ? '' : textOf(content.content))
}

const anthropic = {
  path: /\/v1\/messages$/,
  read(asked) {
    const blocks = asked.messages.flatMap((message) => (Array.isArray(message.content) ? message.content : [{ type: 'text', text: message.content }]))
    const results = new Map(blocks.filter((each) => each.type === 'tool_result').map((each) => [each.tool_use_id, each]))
    const found = [...results.values()].flatMap((each) => (Array.isArray(each.content) ? each.content : [])).map((each) => each.tool_name)
    return {
      service: 'anthropic',
      model: asked.model,
      text: [textOf(asked.system ?? ''), ...blocks.filter((each) => each.type === 'text').map((each) => each.text)].join('\n'),
      tools: (asked.tools ?? []).filter((tool) => !tool.defer_loading || found.includes(tool.name)).map((tool) => tool.name),
      calls: blocks.filter((each) => each.type === 'tool_use' && each.name !== 'ToolSearch').map((each) => ({
        tool: bare(each.name) ?? each.name, input: each.input, output: textOf(results.get(each.id)?.content), failed: !!results.get(each.id)?.is_error,
      })),
    }
  },
  write(response, asked, _path, { say, name, input, id }) {
    const block = name === undefined ? { type: 'text', text: say } : { type: 'tool_use', id: `toolu_${id}`, name, input }
    const stop = name === undefined ? 'end_turn' : 'tool_use'
    const usage = { input_tokens: 1000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 }
    const message = { id: `msg_${Date.now()}`, type: 'message', role: 'assistant', model: asked.model, stop_sequence: null }
    if (!asked.stream) return plain(response, { ...message, content: [block], stop_reason: stop, usage })
    const send = events(response)
    const event = (data) => send(data, data.type)
    event({ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } })
    if (name === undefined) {
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
      for (const part of halves(say)) event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } })
    } else {
      event({ type: 'content_block_start', index: 0, content_block: { ...block, input: {} } })
      for (const part of halves(JSON.stringify(input))) event({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: part } })
    }
    event({ type: 'content_block_stop', index: 0 })
    event({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage })
    event({ type: 'message_stop' })
    response.end()
  },
}

// halves cuts a text in two, so that a program has to put it together.
const halves = (text) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)]

const openai = {
  path: /\/v1\/responses$/,
  read(asked) {
    const items = typeof asked.input === 'string' ? [{ type: 'message', content: asked.input }] : asked.input
    const results = new Map(items.filter((each) => each.type === 'function_call_output').map((each) => [each.call_id, textOf(each.output)]))
    const named = (space, name) => (space ? space + (space.endsWith('__') ? '' : '__') + name : name)
    return {
      service: 'openai',
      model: asked.model,
      text: [asked.instructions ?? '', ...items.filter((each) => each.type === 'message' || each.role).map((each) => textOf(each.content))].join('\n'),
      tools: (asked.tools ?? []).flatMap((tool) => (tool.type === 'namespace' ? tool.tools.map((each) => named(tool.name, each.name)) : [tool.name ?? tool.type])),
      calls: items.filter((each) => each.type === 'function_call').map((each) => {
        const name = named(each.namespace, each.name)
        const output = results.get(each.call_id) ?? ''
        return { tool: bare(name) ?? name, input: JSON.parse(each.arguments || '{}'), output, failed: /"error":\s*\{/.test(output) }
      }),
    }
  },
  write(response, asked, _path, { say, name, input, id }) {
    let item
    if (name === undefined) {
      item = { type: 'message', id: `msg_${Date.now()}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: say, annotations: [] }] }
    } else {
      const space = asked.tools.find((tool) => tool.type === 'namespace' && name.startsWith(tool.name))
      const named = space ? { namespace: space.name, name: space.tools.find((tool) => name.endsWith(`_${tool.name}`)).name } : { name }
      item = { type: 'function_call', id: `fc_${id}`, call_id: id, status: 'completed', ...named, arguments: JSON.stringify(input) }
    }
    const usage = { input_tokens: 1000, input_tokens_details: { cached_tokens: 0 }, output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 1020 }
    const whole = { id: `resp_${Date.now()}`, object: 'response', created_at: Math.floor(Date.now() / 1000), model: asked.model }
    if (!asked.stream) return plain(response, { ...whole, status: 'completed', output: [item], usage })
    const send = events(response)
    const event = (data) => send(data, data.type)
    event({ type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } })
    event({ type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', ...(name === undefined ? { content: [] } : { arguments: '' }) } })
    for (const delta of halves(name === undefined ? say : item.arguments)) {
      if (name === undefined) event({ type: 'response.output_text.delta', item_id: item.id, output_index: 0, content_index: 0, delta })
      else event({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index: 0, delta })
    }
    event({ type: 'response.output_item.done', output_index: 0, item })
    event({ type: 'response.completed', response: { ...whole, status: 'completed', output: [item], usage } })
    response.end()
  },
}

const gemini = {
  path: /\/v1(beta)?\/models\/[^/]+:(streamGenerateContent|generateContent)$/,
  read(asked, path) {
    const parts = asked.contents.flatMap((content) => content.parts ?? [])
    const results = parts.filter((each) => each.functionResponse).map((each) => each.functionResponse)
    let answered = 0
    return {
      service: 'gemini',
      model: /models\/([^/]+):/.exec(path)[1],
      text: [textOf((asked.systemInstruction?.parts) ?? ''), ...parts.filter((each) => each.text).map((each) => each.text)].join('\n'),
      tools: (asked.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map((each) => each.name)),
      calls: parts.filter((each) => each.functionCall).map(({ functionCall: call }) => {
        const result = results[answered++]?.response ?? {}
        const output = result.output ?? result.error ?? JSON.stringify(result)
        return { tool: bare(call.name) ?? call.name, input: call.args, output: typeof output === 'string' ? output : JSON.stringify(output), failed: result.error !== undefined }
      }),
    }
  },
  write(response, asked, path, { say, name, input }) {
    const chunk = (parts, end) => ({
      candidates: [{ content: { role: 'model', parts }, index: 0, ...(end ? { finishReason: 'STOP' } : {}) }],
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 20, totalTokenCount: 1020 }, modelVersion: 'stand-in', responseId: 'stand-in',
    })
    const parts = name === undefined ? halves(say).map((text) => ({ text })) : [{ functionCall: { name, args: input } }]
    if (path.endsWith(':generateContent')) return plain(response, chunk(name === undefined ? [{ text: say }] : parts, true))
    const send = events(response)
    parts.forEach((part, i) => send(chunk([part], i === parts.length - 1)))
    response.end()
  },
}

// What Ollama, vLLM and others offer, and what most programs can be pointed at.
const chat = {
  path: /\/chat\/completions$/,
  read(asked) {
    const results = new Map(asked.messages.filter((each) => each.role === 'tool').map((each) => [each.tool_call_id, textOf(each.content)]))
    return {
      service: 'chat',
      model: asked.model,
      text: asked.messages.filter((each) => each.role !== 'tool' && each.content).map((each) => textOf(each.content)).join('\n'),
      tools: (asked.tools ?? []).map((tool) => tool.function.name),
      calls: asked.messages.flatMap((each) => each.tool_calls ?? []).filter((each) => !finders.includes(each.function.name)).map(({ id, function: { name, arguments: input } }) => {
        const output = results.get(id) ?? ''
        return { tool: bare(name) ?? name, input: JSON.parse(input || '{}'), output, failed: /"error":\s*\{/.test(output) }
      }),
    }
  },
  write(response, asked, _path, { say, name, input, id }) {
    const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
    const message = name === undefined ? { role: 'assistant', content: say } : { role: 'assistant', content: null, tool_calls: [call] }
    const end = name === undefined ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 }
    const whole = { id: `chat_${Date.now()}`, created: Math.floor(Date.now() / 1000), model: asked.model }
    if (!asked.stream) return plain(response, { ...whole, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: end }], usage })
    const send = events(response)
    const chunk = (choices, more) => send({ ...whole, object: 'chat.completion.chunk', choices, ...more })
    chunk([{ index: 0, delta: message, finish_reason: null }])
    chunk([{ index: 0, delta: {}, finish_reason: end }])
    chunk([], { usage })
    response.write('data: [DONE]\n\n')
    response.end()
  },
}

const services = [anthropic, openai, gemini, chat]
