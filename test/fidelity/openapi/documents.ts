import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { stringify } from 'yaml'
import { type Body, buildMock } from '../../helper.js'
import { temporaryFolder } from '../../temporary.js'
import { otherEdition } from './other-edition.js'

/** The mock's own OpenAPI document. */
export async function ownDocument(t: Test): Promise<Body> {
  const { call } = await buildMock(t)
  const { body } = await call('GET', '/openapi.json', { prefix: '' })
  return body
}

/** A file with the document of the other edition, in YAML. */
export function otherEditionFile(t: Test): string {
  const file = join(temporaryFolder(t), 'other-edition.yaml')
  writeFileSync(file, stringify(otherEdition()))
  return file
}

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
