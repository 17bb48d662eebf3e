import { isOfType } from '../../lib/json.js'
import type { Schema, Schemas } from './schema.js'

/** Deeper objects and lists are omitted. */
const DEEPEST = 5
/** Larger samples do not help anyone. */
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

/** Makes values that schemas allow, always the same ones. */
export class Samples {
  readonly #schemas: Schemas
  /** The text for a field, by its name. */
  readonly #textFor: (field: string) => string | undefined
  #left = MOST_VALUES

  constructor(schemas: Schemas, textFor: (field: string) => string | undefined = () => undefined) {
    this.#schemas = schemas
    this.#textFor = textFor
  }

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

  /** Values for the parts of a schema, except schemas within themselves. */
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

/** Whether a value has the type of its schema, and is in its enumeration, if any. */
export function fits(value: unknown, { type, values }: Pick<Schema, 'type' | 'values'>): boolean {
  if (value === undefined || value === null || (values.length > 0 && !values.includes(value))) return false
  return type === undefined || isOfType(value, type)
}
