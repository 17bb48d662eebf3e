import { OPERATION_IDS, type OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import { besidesNull } from '../interface/schemas.js'
import { objectOf } from '../lib/json.js'
import { parsePath, type PathTemplate } from '../profile/path-template.js'
import type { Profile } from '../profile/profile.js'
import type { Exchange } from './exchange.js'
import { percentDecoded } from './percent-decoded.js'

/** A schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** The call of an operation by an exchange. */
export interface Call {
  readonly operation: OperationId
  /** Ids in the path. */
  readonly params: Readonly<Record<string, string>>
  /** Without the base path of the service. */
  readonly path: string
}

/** Whether two calls can be about the same resource: no id that both name differs. */
export const isAboutTheSame = (a: Call['params'], b: Call['params']) =>
  Object.entries(a).every(([name, id]) => (b[name] ?? id) === id)

/** Operations that share one method and path. A parameter of the query can select one. */
const SHARED = OPERATION_IDS.filter((id) => OPERATION_ROUTES[id].query !== undefined)

interface Route {
  readonly operation: OperationId
  readonly method: string
  readonly pattern: RegExp
  readonly parameters: readonly string[]
}

type ByName<T> = Readonly<Record<string, T>>
interface Document {
  readonly paths: ByName<ByName<{ operationId?: string; requestBody?: Content; responses?: ByName<Content> }>>
  readonly components: { readonly schemas: ByName<Schema> }
}
interface Content {
  readonly content?: ByName<{ readonly schema?: Schema }>
}
const schemaIn = (content: Content | undefined) => content?.content?.['application/json']?.schema

/** The interface under a profile: finds the operation that an exchange calls, and its schemas. */
export class Api {
  readonly #routes: readonly Route[]
  readonly #results = new Map<string, Schema>()
  readonly #requests = new Map<string, Schema>()
  readonly #schemas: ByName<Schema>
  readonly #toBuiltIn: (schema: string) => string
  /** The field of replies with the result; undefined if they have no envelope. */
  readonly #resultField: string | undefined

  /** @param document the mock's `/openapi.json`; needed only for schemas */
  constructor({ edge, names }: Profile, document: unknown = { paths: {}, components: { schemas: {} } }) {
    const { paths, components } = document as Document
    this.#schemas = components.schemas
    this.#toBuiltIn = names.schemas.fromWire
    this.#resultField = edge.replies?.isBare === true ? undefined : names.fields.toWire('Result')
    for (const operations of Object.values(paths)) {
      for (const { operationId = '', requestBody, responses = {} } of Object.values(operations)) {
        const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? ''
        const [request, result] = [schemaIn(requestBody), schemaIn(responses[success])]
        // The second part says which fields this operation requires.
        if (request !== undefined) this.#requests.set(operationId, request.allOf?.[0] ?? request)
        if (result !== undefined) this.#results.set(operationId, result)
      }
    }
    const builtIn = OPERATION_IDS.map((id) => {
      const { method, path } = OPERATION_ROUTES[id]
      const template = parsePath(path) as PathTemplate
      return { operations: [id], method, path: template, parameters: template.parameters }
    })
    this.#routes = (edge.paths ?? builtIn)
      .map(({ operations, method, path, parameters }) => ({
        operation: operations[0]!,
        method,
        pattern: new RegExp(`^(.*?)(${path.text.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')})$`),
        parameters
      }))
      // The fewer parameters, the more specific the path.
      .sort((a, b) => a.parameters.length - b.parameters.length)
  }

  /** The operation that an exchange calls, under any base path; undefined if it calls none. */
  recognise({ method, path, query, requestBody }: Exchange): Call | undefined {
    for (const route of this.#routes) {
      if (route.method !== method) continue
      const match = route.pattern.exec(path)
      if (match === null) continue
      const ids = match.slice(3)
      const params = Object.fromEntries(route.parameters.map((name, index) => [name, percentDecoded(ids[index]!)]))
      const operation = SHARED.includes(route.operation) ? sharedOperation(query, requestBody) : route.operation
      return { operation, params, path: match[2]! }
    }
    return undefined
  }

  /** The schema of the body of a request; undefined if there is none, or operations share it. */
  requestSchema(operation: OperationId): Schema | undefined {
    return this.#requests.get(operation)
  }

  /** The schema of the body of a success; undefined if there is none. */
  replySchema(operation: OperationId): Schema | undefined {
    return (
      this.#results.get(operation) ?? (SHARED.includes(operation) ? this.#results.get('changeSchedule') : undefined)
    )
  }

  /** The schema of the result of a success; undefined if there is none. */
  resultSchema(operation: OperationId): Schema | undefined {
    const reply = this.replySchema(operation)
    return this.#resultField === undefined ? reply : this.resolve(reply)?.schema.properties?.[this.#resultField]
  }

  /** The schema of a list, by the built-in name of the schema of its items. */
  listOf(name: string): Schema {
    const wire = Object.keys(this.#schemas).find((schema) => this.#toBuiltIn(schema) === name)
    return { type: 'array', items: { $ref: `#/components/schemas/${wire}` } }
  }

  /** A schema without references, and its built-in name if it has one. */
  resolve(reference: Schema | undefined): { readonly name?: string; readonly schema: Schema } | undefined {
    const schema = reference && besidesNull(reference)
    if (schema?.$ref === undefined) return schema && { schema }
    const name = decodeURIComponent(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1))
    const target = this.#schemas[name]
    return target && { name: this.#toBuiltIn(name), schema: target }
  }
}

/** The operation of a call to the shared path; docs/interface.md has the rule. */
function sharedOperation(query: string, body: unknown): OperationId {
  const selected = new URLSearchParams(query).get('operation')
  const named = SHARED.find((id) => OPERATION_ROUTES[id].query === `operation=${selected}`)
  if (named !== undefined) return named
  const fields = Object.keys(objectOf(body))
  if (fields.includes('schedule')) return 'setBackupSchedule'
  const isDeletion = fields.includes('id') && fields.every((field) => field === 'id' || field === 'workspace_id')
  return isDeletion ? 'deleteWorkspaceSchedule' : 'updateWorkspaceSchedule'
}
