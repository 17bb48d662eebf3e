interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

type Schemas = Readonly<Record<string, object>>

/**
 * The paths (dotted, with indices) of the body fields that no schema reads.
 * @param schema the schema that applies; without one, no field is read
 * @param schemas those that it refers to, by name
 * @param enough stops after this many
 */
export function unreadFields(body: unknown, schema: object | undefined, schemas: Schemas, enough: number): string[] {
  const found: string[] = []
  walk(body, schema === undefined ? [] : flatten(schema, schemas), '')
  return found

  function walk(value: unknown, parts: readonly Schema[], path: string): void {
    if (typeof value !== 'object' || value === null || parts.some(isAny)) return
    for (const field in value) {
      if (found.length >= enough) return
      const own = path === '' ? field : `${path}.${field}`
      const readers = parts.flatMap((part) => readersOf(part, field, Array.isArray(value)))
      if (readers.length === 0) found.push(own)
      else {
        const inside = readers.flatMap((reader) => flatten(reader, schemas))
        walk((value as Readonly<Record<string, unknown>>)[field], inside, own)
      }
    }
  }
}

/** The names of a body's own fields, by the schema that applies. */
export function topFields(schema: object | undefined, schemas: Schemas): string[] {
  const parts = schema === undefined ? [] : flatten(schema, schemas)
  return [...new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))]
}

/** The subschemas for one field of an object, or for an item of an array. */
function readersOf({ properties = {}, additionalProperties, items }: Schema, field: string, isItem: boolean): Schema[] {
  if (isItem) return items === undefined ? [] : [items]
  if (Object.hasOwn(properties, field)) return [properties[field]!]
  return additionalProperties === true ? [{}] : []
}

/** The schemas that a schema resolves to, through references and combinations. */
function flatten(schema: Schema, schemas: Schemas): Schema[] {
  const { $ref, allOf = [], anyOf = [] } = schema
  if ($ref !== undefined) return flatten(schemas[$ref.replace(/#$/, '')]!, schemas)
  return [schema, ...[...allOf, ...anyOf].flatMap((part) => flatten(part, schemas))]
}

/** Whether a schema accepts any value. */
function isAny({ type, properties, items, allOf, anyOf }: Schema): boolean {
  return [type, properties, items, allOf, anyOf].every((part) => part === undefined)
}
