/** A schema with its references replaced by their schemas, and without the marks of assumptions. */
export function wholeSchema(schema: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => wholeSchema(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref: reference, 'x-assumption': _, ...rest } = schema as Record<string, unknown>
  if (typeof reference === 'string') return wholeSchema(schemas[reference.split('/').at(-1)!], schemas)
  return Object.fromEntries(Object.entries(rest).map(([field, value]) => [field, wholeSchema(value, schemas)]))
}
