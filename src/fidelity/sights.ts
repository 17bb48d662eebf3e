import { groupBy } from '../lib/group-by.js'
import { isObject, type Json } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import { TEXT_RESULTS } from '../profile/routes.js'
import type { Api, Call } from './api.js'
import { comparableOf, RESOURCES } from './comparables.js'
import { type Exchange, isOk } from './exchange.js'
import type { Schema } from './schema.js'

/** An exchange that calls an operation. */
export interface Called {
  readonly exchange: Exchange
  readonly call: Call
}

/** An object with a named schema in a reply. */
export interface Sight extends Called {
  /** Built-in name. */
  readonly schema: string
  readonly value: Json
}

/** The objects of a schema, by the exchanges that show them. */
export function shownBy(sights: readonly Sight[], schema: string): ReadonlyMap<Exchange, readonly Sight[]> {
  return groupBy(
    sights.filter((sight) => sight.schema === schema),
    ({ exchange }) => exchange
  )
}

/** Finds the objects with named schemas in a reply, if it is a success. */
export function sightsIn(api: Api, called: Called): Sight[] {
  const { exchange, call } = called
  const found: Sight[] = []
  if (!isOk(exchange)) return found
  visit(api.replySchema(call.operation), exchange.body)
  return found

  function visit(schema: Schema | undefined, value: unknown): void {
    if (schema === undefined) return
    const text = TEXT_RESULTS.get(call.operation)
    if (typeof value === 'string' && text !== undefined && schema.type === 'string' && found.length === 0) {
      visit(api.listOf(text), parsed(value))
      return
    }
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) visit(schema.items?.(), item)
    } else if (isObject(value)) {
      const name = api.nameOf(schema)
      if (name !== undefined) found.push({ ...called, schema: name, value })
      for (const field of schema.fields.values()) visit(field.schema(), value[field.name])
    }
  }
}

/** The words for states in replies, and the objects that have them. */
export const stateWordsIn = (sights: readonly Sight[], toWire: (field: string) => string) =>
  sights.flatMap(({ schema, value }) =>
    Object.entries(comparableOf(schema).states ?? {}).flatMap(([field, kind]) => {
      const word = value[toWire(field)]
      return typeof word === 'string' ? [{ kind, word, value }] : []
    })
  )

/** Each resource as replies first show it, by its id. */
export function firstShown(sights: readonly Sight[], toWire: (field: string) => string): ReadonlyMap<string, Json> {
  const shown = new Map<string, Json>()
  for (const { schema, value } of sights) {
    const id = value[toWire(comparableOf(schema).identity ?? '')]
    if (RESOURCES.includes(schema) && typeof id === 'string' && !shown.has(id)) shown.set(id, value)
  }
  return shown
}
