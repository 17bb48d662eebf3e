import { isOfType } from '../../lib/json.js'
import type { Schema } from '../schema.js'

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

/**
 * Makes a value that a schema allows, always the same one.
 * @param textFor the text for a field, by its name
 */
export function sampleOf(schema: Schema, textFor: (field: string) => string | undefined = () => undefined): unknown {
  let left = MOST_VALUES
  return make(schema, '', [])

  function make(schema: Schema, field: string, above: readonly Schema[]): unknown {
    left--
    const text = schema.type === 'string' && schema.values.length === 0 ? textFor(field) : undefined
    const given = [text, schema.default, schema.example, schema.values[0]].find((value) => fits(value, schema))
    if (given !== undefined) return given
    switch (schema.type) {
      case 'string':
        return (TEXTS.get(schema.format ?? '') ?? '').padEnd(Math.min(schema.minLength ?? 0, 256), 'x')
      case 'boolean':
        return false
      case 'integer':
      case 'number':
        return Math.max(0, Math.ceil(schema.minimum ?? 0))
      case 'array':
        return within('', schema.items, [...above, schema])
      case 'object':
        return Object.fromEntries(
          [...schema.fields.values()].flatMap((one) =>
            within(one.name, one.schema, [...above, schema]).map((value) => [one.name, value])
          )
        )
      case undefined:
        return schema.first === undefined ? null : make(schema.first, field, above)
    }
  }

  /** The value of a part, in a list; an empty one for a schema within itself. */
  function within(field: string, part: (() => Schema) | undefined, above: readonly Schema[]): readonly unknown[] {
    const schema = part?.()
    if (schema === undefined || schema.isWriteOnly === true || left <= 0) return []
    const isDeep = schema.type === 'object' || schema.type === 'array'
    return isDeep && (above.length >= DEEPEST || above.includes(schema)) ? [] : [make(schema, field, above)]
  }
}

/** Whether a value has the type of its schema, and is in its enumeration, if any. */
export function fits(value: unknown, { type, values }: Pick<Schema, 'type' | 'values'>): boolean {
  if (value === undefined || value === null || (values.length > 0 && !values.includes(value))) return false
  return type === undefined || isOfType(value, type)
}
