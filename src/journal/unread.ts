interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

type Lookup = (name: string) => object | undefined

/**
 * The paths (dotted, with indices) of the body fields that no schema reads.
 * @param schema the schema that applies; without one, no field is read
 * @param named finds a schema by name
 * @param enough stops after this many
 */
export function unreadFields(body: unknown, schema: object | undefined, named: Lookup, enough = Infinity): string[] {
  const found: string[] = []
  walk(body, schema === undefined ? [] : flatten(schema, named), '')
  return found

  function walk(value: unknown, schemas: readonly Schema[], path: string): void {
    if (typeof value !== 'object' || value === null || schemas.some(isAny)) return
    for (const field in value) {
      if (found.length >= enough) return
      const own = path === '' ? field : `${path}.${field}`
      const readers = schemas.flatMap((schema) => readersOf(schema, field, Array.isArray(value)))
      if (readers.length === 0) found.push(own)
      else {
        const parts = readers.flatMap((reader) => flatten(reader, named))
        walk((value as Readonly<Record<string, unknown>>)[field], parts, own)
      }
    }
  }
}

/** The names of a body's own fields, by the schema that applies. */
export function topFields(schema: object | undefined, named: Lookup): string[] {
  const parts = schema === undefined ? [] : flatten(schema, named)
  return [...new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))]
}

/** The subschemas for one field of an object, or for an item of an array. */
function readersOf({ properties = {}, additionalProperties, items }: Schema, field: string, isItem: boolean): Schema[] {
  if (isItem) return items === undefined ? [] : [items]
  if (Object.hasOwn(properties, field)) return [properties[field]!]
  return additionalProperties === true ? [{}] : []
}

/** The schemas that a schema resolves to, through references and combinations. */
function flatten(schema: Schema, named: Lookup): Schema[] {
  const { $ref, allOf = [], anyOf = [] } = schema
  if ($ref !== undefined) {
    const found = named($ref.replace(/#$/, ''))
    return found === undefined ? [] : flatten(found, named)
  }
  const parts = [...allOf, ...anyOf]
  return parts.length === 0 ? [schema] : [schema, ...parts.flatMap((part) => flatten(part, named))]
}

/** Whether a schema accepts any value. */
function isAny({ type, properties, items, allOf, anyOf }: Schema): boolean {
  return [type, properties, items, allOf, anyOf].every((part) => part === undefined)
}
