import { MiddlewareResponseSchema } from '../interface/envelope.js'
import type { Described } from '../resources/vocabulary.js'

/** A schema with everything that it refers to. */
export interface Part {
  /** The names under which the schema is published. */
  readonly names: readonly string[]
  readonly properties: ReadonlyMap<string, Described>
  readonly items: Described | undefined
}

/** Returns a function that finds the parts of a schema, however it refers to them. */
export function schemaParts(schemas: readonly object[]): (schema: Described) => Part {
  const named = new Map((schemas as readonly Described[]).map((schema) => [schema.$id, schema]))
  const known = new WeakMap<Described, Part>()
  return (schema) => {
    let part = known.get(schema)
    if (part === undefined) known.set(schema, (part = look(schema)))
    return part
  }

  function look(schema: Described): Part {
    const names = new Set<string>()
    const properties = new Map<string, Described>()
    let items: Described | undefined
    const visit = (one: Described & Partial<Record<'anyOf' | 'allOf', readonly Described[]>>): void => {
      if (one.$id !== undefined) names.add(one.$id)
      for (const [name, property] of Object.entries(one.properties ?? {})) properties.set(name, property)
      // A named list gives its name to its items.
      if (one.items !== undefined) items = one.$id === undefined ? one.items : { ...one.items, $id: one.$id }
      for (const other of [...(one.anyOf ?? []), ...(one.allOf ?? [])]) visit(other)
      const target = one.$ref === undefined ? undefined : named.get(nameOfRef(one.$ref))
      if (target !== undefined) visit(target)
    }
    visit(schema)
    // An envelope with a payload has no name of its own.
    if (names.size === 0 && properties.has('RequestID')) names.add(MiddlewareResponseSchema.$id!)
    return { names: [...names], properties, items }
  }
}

/** The name in a reference, as routes or the OpenAPI document have it. */
const nameOfRef = (ref: string) => ref.replace(/^#\/components\/schemas\//, '').replace(/#$/, '')
