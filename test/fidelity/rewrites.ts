import { Api } from '../../src/fidelity/api.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import type { OperationId } from '../../src/interface/operation-ids.js'
import { isObject, type Json } from '../../src/lib/json.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import type { Perturb } from './real-service.js'

type Rewrite = NonNullable<Perturb['rewrite']>

/** Fields that identify the objects of a schema. */
const MARKS = { SvcDatabase: 'create_time', Workspace: 'nginx_host' } as const

/** Changes all objects of a schema in replies. */
export function inAll(schema: keyof typeof MARKS, change: (object: Json, random: () => number) => Json): Rewrite {
  const visit = (value: unknown, random: () => number): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, random))
    if (!isObject(value)) return value
    const inside = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item, random)]))
    return MARKS[schema] in value ? change(inside, random) : inside
  }
  return (exchange, random) =>
    exchange.body === undefined ? exchange : { ...exchange, body: visit(exchange.body, random) }
}

/** Changes the values of a field in requests and replies. */
export function inField(field: string, change: (value: unknown) => unknown): Rewrite {
  return (exchange) => {
    const text = JSON.stringify(exchange, (name, value: unknown) => (name === field ? change(value) : value))
    return JSON.parse(text) as Exchange
  }
}

/** Changes the envelope of all replies that have one. */
export function inEnvelope(change: (envelope: Json) => Json): Rewrite {
  return (exchange) => {
    const { body } = exchange
    return isObject(body) && 'RequestID' in body ? { ...exchange, body: change(body) } : exchange
  }
}

/** Changes the exchanges of some operations. */
export function of(operations: readonly OperationId[], change: Rewrite): Rewrite {
  return (exchange, random) => (operations.includes(operationOf(exchange)!) ? change(exchange, random) : exchange)
}

/** Changes the headers of all replies. */
export function withHeaders(change: (headers: Exchange['headers']) => Json): Rewrite {
  return (exchange) =>
    exchange.status === null ? exchange : { ...exchange, headers: change(exchange.headers) as Exchange['headers'] }
}

/** Changes results that are lists. */
export function inList(change: (list: readonly unknown[]) => readonly unknown[]): Rewrite {
  return inEnvelope((body) => (Array.isArray(body['Result']) ? { ...body, Result: change(body['Result']) } : body))
}

export const without = (body: Json, field: string): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))

const API = new Api(BUILT_IN)

export const operationOf = (exchange: Exchange): OperationId | undefined => API.recognise(exchange)?.operation
