import { OPERATION_IDS, type OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import { type Json, objectOf, valueAt } from '../lib/json.js'
import { percentDecoded } from '../lib/percent-decoded.js'
import type { Names } from '../profile/names.js'
import { parsePath, type PathTemplate } from '../profile/path-template.js'
import type { Profile } from '../profile/profile.js'
import { SHARED_ID, SHARING } from '../profile/routes.js'
import type { Exchange } from './exchange.js'
import { type Schema, Schemas } from './schema.js'
import { nameWith } from './words.js'

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

interface Route {
  readonly operation: OperationId
  readonly method: string
  readonly pattern: RegExp
  readonly parameters: readonly string[]
}

/** The interface under a profile: finds the operation that an exchange calls, and its schemas. */
export class Api {
  readonly #routes: readonly Route[]
  /** As the document describes them, by id. */
  readonly #operations: ReadonlyMap<unknown, Json>
  readonly #schemas: Schemas
  readonly #names: Names
  /** The field of replies with the result; undefined if they have no envelope. */
  readonly #resultField: string | undefined

  /** @param document the mock's `/openapi.json`; needed only for schemas */
  constructor({ edge, names }: Profile, document?: unknown) {
    this.#schemas = new Schemas(document, nameWith(''))
    this.#names = names
    this.#resultField = edge.replies?.isBare === true ? undefined : names.fields.toWire('Result')
    const paths = Object.values(objectOf(objectOf(document)['paths'])).map(objectOf)
    const described = paths.flatMap((path) => Object.values(path).map(objectOf))
    this.#operations = new Map(described.map((one) => [one['operationId'], one]))
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
      const operation = SHARING.includes(route.operation)
        ? sharedOperation(query, objectOf(requestBody), this.#names)
        : route.operation
      return { operation, params, path: match[2]! }
    }
    return undefined
  }

  /** The schema of the body of a request; undefined if there is none, or operations share it. */
  requestSchema(operation: OperationId): Schema | undefined {
    return this.#schemaIn(this.#operations.get(operation)?.['requestBody'])
  }

  /** The schema of the body of a success; undefined if there is none. */
  replySchema(operation: OperationId): Schema | undefined {
    const shared = SHARING.includes(operation) ? this.#operations.get(SHARED_ID) : undefined
    const responses = objectOf((this.#operations.get(operation) ?? shared)?.['responses'])
    return this.#schemaIn(responses[Object.keys(responses).find((status) => status.startsWith('2')) ?? ''])
  }

  #schemaIn(message: unknown): Schema | undefined {
    const schema = valueAt(message, ['content', 'application/json', 'schema'])
    return schema === undefined ? undefined : this.#schemas.read(schema)
  }

  /** The schema of the result of a success; undefined if there is none. */
  resultSchema(operation: OperationId): Schema | undefined {
    const reply = this.replySchema(operation)
    return this.#resultField === undefined ? reply : reply?.fields.get(this.#resultField)?.schema()
  }

  /** The schema of a list, by the built-in name of the schema of its items. */
  listOf(name: string): Schema {
    return { ...this.#schemas.read({}), type: 'array', items: () => this.#named(name) }
  }

  /** Whether a named schema, or the items of a named list, has a field. @param wire its name in replies */
  hasField(name: string, wire: string): boolean {
    const schema = this.#named(name)
    return (schema.items?.() ?? schema).fields.has(wire)
  }

  #named(name: string): Schema {
    return this.#schemas.read({ $ref: `#/components/schemas/${this.#names.schemas.toWire(name)}` })
  }

  /** The built-in name of a schema, if it has one. */
  nameOf(schema: Schema | undefined): string | undefined {
    return schema?.name === undefined ? undefined : this.#names.schemas.fromWire(schema.name)
  }
}

/** The operation of a call to the shared path; docs/interface.md has the rule. */
function sharedOperation(query: string, body: Json, { fields: renamed }: Names): OperationId {
  const selected = new URLSearchParams(query).get('operation')
  const named = SHARING.find((id) => OPERATION_ROUTES[id].query === `operation=${selected}`)
  if (named !== undefined) return named
  const fields = Object.keys(body).map(renamed.fromWire)
  if (fields.includes('schedule')) return 'setBackupSchedule'
  const isDeletion = fields.includes('id') && fields.every((field) => field === 'id' || field === 'workspace_id')
  return isDeletion ? 'deleteWorkspaceSchedule' : 'updateWorkspaceSchedule'
}
