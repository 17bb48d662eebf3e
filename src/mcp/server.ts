/* eslint-disable @typescript-eslint/no-deprecated -- only this class takes JSON schemas; the other one needs Zod. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  specTypeSchemas
} from '@modelcontextprotocol/server'
import { VERSION } from '../lib/version.js'
import type { McpClient } from './client.js'
import { PROMPTS } from './prompts.js'
import { refusalOf } from './refusal.js'
import { readResource, RESOURCE_TEMPLATES, RESOURCES } from './resources.js'
import { shorten } from './shorten.js'
import { takesTasks, TASKS, type Tasks } from './tasks.js'
import type { Answer, Tool } from './tool.js'
import { TOOLS } from './tools.js'

const INSTRUCTIONS = `svc-mock is a mock of the control plane of a cloud database service. Workgroups have workspaces,
whose states change over time, by a clock that you can move. Nothing here is real, so feel free to experiment; a copy
of the sandbox leaves the original unchanged. Each key names a sandbox of its own.`

/** The SDK would load a package that validates answers of users, but this server asks them nothing. */
const jsonSchemaValidator = {
  getValidator: (): never => {
    throw new Error('this server asks users nothing')
  }
}

/** Lists are the same for all clients, and do not change while the server runs. */
const HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const

interface More {
  readonly tools: readonly Tool[]
  /** Further information for the client about this server. */
  readonly about: string
  readonly tasks: Tasks
}

/** Makes an MCP server for one connection. */
export function createMcpServer(client: McpClient, more?: More): Server {
  const tools = new Map([...TOOLS, ...(more?.tools ?? [])].map((tool) => [tool.name, tool]))
  const server = new Server(
    { name: 'svc-mock', title: 'svc-mock', version: VERSION },
    {
      jsonSchemaValidator,
      cacheHints: {
        'tools/list': HINT,
        'resources/list': HINT,
        'resources/templates/list': HINT,
        'prompts/list': HINT
      },
      capabilities: { tools: {}, resources: {}, prompts: {}, ...(more && { extensions: { [TASKS]: {} } }) },
      instructions: `${INSTRUCTIONS}\n\nA client under test finds the server at ${client.url}. ${more?.about ?? ''}`
    }
  )

  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].map(({ run: _, isLong: _isLong, inputSchema, ...tool }) => ({
      ...tool,
      inputSchema: { ...inputSchema, type: 'object' as const }
    }))
  }))

  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name)
    if (tool === undefined)
      throw invalid(`There is no tool ${params.name}; the tools are ${[...tools.keys()].join(', ')}.`)
    const given = params.arguments ?? {}
    if (!tool.isLong || more === undefined || !takesTasks(mcpReq.envelope))
      return carriedOut(tool, given, { client, signal: mcpReq.signal })
    const task = more.tasks.begin((signal) => carriedOut(tool, given, { client, signal, isTask: true }).catch(failure))
    return { resultType: 'task', ...task, content: [] }
  })

  if (more !== undefined) {
    const { tasks } = more
    const params = specTypeSchemas.RelatedTaskMetadata
    server.setRequestHandler('tasks/get', { params }, ({ taskId }) => {
      const task = tasks.find(taskId)
      if (task === undefined) throw invalid(`There is no task ${taskId}.`)
      return { ...task }
    })
    server.setRequestHandler('tasks/cancel', { params }, ({ taskId }) => {
      if (!tasks.cancel(taskId)) throw invalid(`There is no task ${taskId}.`)
      return {}
    })
  }

  server.setRequestHandler('resources/list', () => ({
    resources: RESOURCES.map(({ read: _, ...resource }) => resource)
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    const content = await readResource(uri, { client, signal }).catch((error: unknown) => {
      const refusal = refusalOf(error)
      throw refusal === undefined ? error : new ProtocolError(ProtocolErrorCode.InternalError, refusal.message)
    })
    if (content === undefined) throw new ResourceNotFoundError(uri, `There is no resource ${uri}.`)
    return { contents: [{ uri, ...content }] }
  })

  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ textOf: _, ...prompt }) => prompt)
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
    const prompt = PROMPTS.find((known) => known.name === name)
    if (prompt === undefined)
      throw invalid(`There is no prompt ${name}; the prompts are ${PROMPTS.map((known) => known.name).join(', ')}.`)
    const missing = prompt.arguments.find((argument) => argument.required && given[argument.name] === undefined)
    if (missing !== undefined) throw invalid(`The prompt ${name} needs ${missing.name}: ${missing.description}`)
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.textOf(given, client.url) } }]
    }
  })
  return server
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

/** The result of a tool, also if it refuses. */
async function carriedOut(tool: Tool, given: unknown, call: Parameters<Tool['run']>[1]): Promise<CallToolResult> {
  try {
    return toResult(await tool.run(given, call))
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw error
    return toResult({ message: refusal.message, ...refusal.details }, true)
  }
}

/** The result of a task whose tool has failed. */
const failure = (error: unknown) => toResult({ message: String(error) }, true)

/** An answer as JSON; if it is cut, a note says how to read the rest. */
function toResult(answer: Answer | object, isError = 'remedy' in answer): CallToolResult {
  const { text, note } = shorten(answer)
  return {
    content: [text, ...(note === undefined ? [] : [note])].map((part) => ({ type: 'text' as const, text: part })),
    ...(isError ? { isError } : {})
  }
}
