import { isOperation, OPERATION_IDS, type OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import type { McpClient } from './client.js'
import { Refusal } from './refusal.js'

type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
}

interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: Schema
        readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
      }
    }
  }
}

/** The part of the server's OpenAPI document that is used here. */
interface InterfaceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** How an operation is called on a server, with the names and paths of its profile. */
export interface CallableOperation {
  readonly operation: OperationId
  readonly summary: string
  readonly method: string
  /** With ids in braces. */
  readonly path: string
  readonly query?: string
  /** The ids in the path and the query, with descriptions. */
  readonly ids: Readonly<Record<string, string>>
  readonly needsSession: boolean
  /** The schema of the body, if there is one. */
  readonly body?: Schema
  readonly example?: unknown
}

interface Interface {
  readonly operations: ReadonlyMap<OperationId, CallableOperation>
  readonly schemas: InterfaceDocument['components']['schemas']
}

export interface Reading {
  readonly client: McpClient
  readonly signal: AbortSignal
}

/** Reads the interface of a server. @throws {Refusal} if it has no OpenAPI document */
export async function readInterface({ client, signal }: Reading): Promise<Interface> {
  const { status, text } = await client.request({ method: 'GET', path: '/openapi.json', signal })
  if (status !== 200) throw new Refusal(`${client.url} does not describe its interface.`, { status })
  const document = JSON.parse(text) as InterfaceDocument
  return { operations: operationsOf(document), schemas: document.components.schemas }
}

/** The operations of a server, in the order of the interface. */
function operationsOf(document: InterfaceDocument): ReadonlyMap<OperationId, CallableOperation> {
  const found = new Map<OperationId, CallableOperation>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, described] of Object.entries(methods))
      for (const operation of callable(method.toUpperCase(), path, described))
        // A profile may have further paths for an operation; the first one is enough.
        if (!found.has(operation.operation)) found.set(operation.operation, operation)
  return new Map(OPERATION_IDS.flatMap((id) => (found.has(id) ? [[id, found.get(id)!]] : [])))
}

/** The operation of a path and method, or several that share them. */
function callable(method: string, path: string, described: DescribedOperation): CallableOperation[] {
  const { operationId, summary, parameters = [], security = [], requestBody } = described
  const { schema, examples = {} } = requestBody?.content['application/json'] ?? {}
  // In the query, `operation` says which one of several is meant.
  const isId = ({ name, in: place }: Parameter) => place === 'path' || (place === 'query' && name !== 'operation')
  const common = {
    summary,
    method,
    path,
    ids: Object.fromEntries(parameters.filter(isId).map(({ name, description = '' }) => [name, description])),
    needsSession: security.length > 0 && !security.some((scheme) => 'apiKey' in scheme)
  }
  if (isOperation(operationId))
    return [
      {
        operation: operationId,
        ...common,
        ...(schema === undefined ? {} : { body: schema, example: examples[operationId]?.value })
      }
    ]
  const alternatives = (schema?.['anyOf'] ?? []) as readonly Schema[]
  return Object.keys(examples)
    .filter(isOperation)
    .map((operation, index) => ({
      operation,
      ...common,
      summary: operation,
      ...(OPERATION_ROUTES[operation].query === undefined ? {} : { query: OPERATION_ROUTES[operation].query }),
      body: alternatives[index]!,
      example: examples[operation]!.value
    }))
}

export function operationsTable(operations: Iterable<CallableOperation>): string {
  const rows = [...operations].map(({ operation, method, path, query, body, summary }) => {
    const whole = query === undefined ? path : `${path}?${query}`
    return `| \`${operation}\` | ${method} | \`${whole}\` | ${nameOf(body)} | ${summary} |`
  })
  return ['| operation | method | path | body | what it does |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

function nameOf(body: Schema | undefined): string {
  if (body === undefined) return 'none'
  const [first = body] = (body['allOf'] ?? []) as readonly Schema[]
  const { $ref: reference } = first
  return typeof reference === 'string' ? `\`${reference.split('/').at(-1)!}\`` : 'object'
}
