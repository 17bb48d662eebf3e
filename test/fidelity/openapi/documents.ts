import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { type Body, buildMock } from '../../helper.js'

/** The mock's own OpenAPI document. */
export async function ownDocument(t: Test): Promise<Body> {
  const { call } = await buildMock(t)
  const { body } = await call('GET', '/openapi.json', { prefix: '' })
  return body
}

export const OTHER_EDITION = new URL('other-edition.yaml', import.meta.url)

/** A Swagger 2 document of the service in another edition. */
export const otherEdition = (): Body => parse(readFileSync(OTHER_EDITION, 'utf8'))

/** New names for what is in an OpenAPI document. */
export interface Renames {
  readonly field: (name: string) => string
  readonly schema: (name: string) => string
  readonly operation: (id: string) => string
}

/** A copy of a document in OpenAPI 3 with other names of fields, schemas and operations. Examples are left out. */
export function renamed(document: Body, names: Renames): Body {
  return copy(document)

  function copy(part: unknown, key = ''): unknown {
    if (key === 'properties') return keys(part, names.field)
    if (key === 'schemas') return keys(part, names.schema)
    if (Array.isArray(part)) return part.map((item) => (key === 'required' ? names.field(String(item)) : copy(item)))
    if (key === '$ref') return String(part).replace(/[^/]+$/, (name) => names.schema(name))
    if (key === 'operationId') return names.operation(String(part))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part)
        .filter(([name]) => name !== 'examples')
        .map(([name, item]) => [name, copy(item, name)])
    )
  }

  function keys(part: unknown, rename: (name: string) => string): unknown {
    return Object.fromEntries(Object.entries(part as object).map(([name, item]) => [rename(name), copy(item)] as const))
  }
}
