import { isOfType } from '../../lib/json.js'
import type { Schema, Schemas } from './schema.js'

/** Objects and lists deeper inside are left out. */
const DEEPEST = 5
/** More values do not help anybody. */
const MOST_VALUES = 300

const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'date-time': '2026-01-01T00:00:00Z',
    date: '2026-01-01',
    time: '00:00:00Z',
    email: 'user@example.com',
    uuid: '00000000-0000-4000-8000-000000000000',
    uri: 'https://example.com',
    hostname: 'host.example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1'
  })
)

/** Values that a schema allows, the same ones every time. */
export class Samples {
  readonly #schemas: Schemas
  /** A text for a field with a certain name. */
  readonly #textFor: (field: string) => string | undefined
  #left = MOST_VALUES

  constructor(schemas: Schemas, textFor: (field: string) => string | undefined = () => undefined) {
    this.#schemas = schemas
    this.#textFor = textFor
  }

  /** @param field name of the field that the value is for */
  of(schema: Schema, field = '', above: readonly Schema[] = []): unknown {
    this.#left--
    const text = schema.type === 'string' && schema.values.length === 0 ? this.#textFor(field) : undefined
    const given = [text, schema.default, schema.example, schema.values[0]].find((value) => fits(value, schema))
    if (given !== undefined) return given
    const within = [...above, schema]
    switch (schema.type) {
      case 'string':
        return (TEXTS.get(schema.format ?? '') ?? '').padEnd(Math.min(schema.minLength ?? 0, 256), 'x')
      case 'boolean':
        return false
      case 'integer':
      case 'number':
        return Math.max(0, Math.ceil(schema.minimum ?? 0))
      case 'array':
        return this.#inside([['', schema.items]], within).map(([, item]) => item)
      case 'object':
        return Object.fromEntries(this.#inside([...schema.fields], within))
      case undefined:
        return null
    }
  }

  /** Values for what is inside a schema. A schema within itself is left out. */
  #inside(parts: readonly (readonly [name: string, part: unknown])[], above: readonly Schema[]) {
    const values: [string, unknown][] = []
    for (const [name, part] of parts) {
      const schema = this.#schemas.read(part)
      const isDeep = schema.type === 'object' || schema.type === 'array'
      if (this.#left > 0 && !(isDeep && (above.length >= DEEPEST || above.includes(schema))))
        values.push([name, this.of(schema, name, above)])
    }
    return values
  }
}

/** Whether an example has the type and, where they are listed, one of the values of its schema. */
export function fits(value: unknown, { type, values }: Pick<Schema, 'type' | 'values'>): boolean {
  if (value === undefined || value === null || (values.length > 0 && !values.includes(value))) return false
  return type === undefined || isOfType(value, type)
}
