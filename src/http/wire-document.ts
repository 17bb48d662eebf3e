import type { Json } from '../lib/json.js'
import type { Names } from '../profile/names.js'
import type { Described } from '../resources/vocabulary.js'
import type { Part } from './schema-parts.js'

interface Translation {
  readonly names: Names
  /** Translates the names in a text. */
  readonly text: (text: string) => string
  /** Translates an example of a body. */
  readonly toWire: (body: unknown, schema: Described, operationId: string) => unknown
  readonly partOf: (schema: Described) => Part
  /** The condition under which replies omit a field; undefined: never. */
  readonly conditionOf: (part: Part, field: string) => object | 'always' | undefined
  /** Brings the schema of a reply into the form of the profile, if it has one. */
  readonly shapeSchema: ((schema: Json, operationId: string, status: number) => Json) | undefined
}

/** Keys of an OpenAPI document whose values are texts about the interface. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'summary'])

/** Translates an OpenAPI document of the interface. */
export function translateDocument(document: unknown, translation: Translation): unknown {
  const { names, text, toWire, partOf, conditionOf, shapeSchema } = translation
  return walk(document)

  /** @param shape brings the schemas of bodies into their form */
  function walk(part: unknown, shape = (schema: Json) => schema): unknown {
    if (Array.isArray(part)) return part.map((item) => walk(item, shape))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, item]: [string, unknown]) => {
        if (typeof item === 'string' && TEXTS.has(key)) return [key, text(item)]
        if (key === 'schemas') return [key, named(item as Json)]
        if (key === 'content') return [key, contents(item as Json, shape)]
        if (key === 'responses' && shapeSchema !== undefined) return [key, replies(part as Json, item as Json)]
        return [key, walk(item, shape)]
      })
    )
  }

  function replies({ operationId }: Json, byStatus: Json): unknown {
    return Object.fromEntries(
      Object.entries(byStatus).map(([status, reply]) => [
        status,
        walk(reply, (schema) => shapeSchema!(schema, String(operationId), Number(status)))
      ])
    )
  }

  function named(schemas: Json): unknown {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        names.schemas.toWire(name),
        translateSchema({ $id: name, ...(schema as object) })
      ])
    )
  }

  /** The bodies of a request or a reply, by media type. */
  function contents(byType: Json, shape: (schema: Json) => Json): unknown {
    return Object.fromEntries(
      Object.entries(byType).map(([type, media]) => {
        const { schema, examples } = media as { schema: Described; examples?: Record<string, { value: unknown }> }
        return [
          type,
          {
            ...(media as Json),
            schema: shape(translateSchema(schema)),
            // Examples are bodies, not texts about them. They have the names of their operations.
            ...(examples !== undefined && {
              examples: Object.fromEntries(
                Object.entries(examples).map(([id, { value }]) => [id, { value: toWire(value, schema, id) }])
              )
            })
          }
        ]
      })
    )
  }

  function translateSchema(schema: Described): Json {
    const { $id: _, ...keywords } = schema
    const part = partOf(schema)
    return Object.fromEntries(
      Object.entries(keywords).map(([keyword, item]: [string, unknown]) => [keyword, translate(keyword, item)])
    )

    function translate(keyword: string, item: unknown): unknown {
      switch (keyword) {
        case 'description':
          return text(item as string)
        case '$ref':
          return (item as string).replace(/[^/]+$/, names.schemas.toWire)
        case 'enum':
          return (item as unknown[]).map((value) => (typeof value === 'string' ? names.values.toWire(value) : value))
        case 'required':
          return (item as string[]).filter((field) => conditionOf(part, field) === undefined).map(names.fields.toWire)
        case 'properties':
          return Object.fromEntries(
            Object.entries(item as Record<string, Described>)
              .filter(([field]) => conditionOf(part, field) !== 'always')
              .map(([field, property]) => [names.fields.toWire(field), translateSchema(property)])
          )
        case 'items':
          return translateSchema(part.items!)
        case 'anyOf':
        case 'allOf':
          return (item as Described[]).map(translateSchema)
        default:
          return item
      }
    }
  }
}
