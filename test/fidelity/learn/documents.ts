import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parse, stringify } from 'yaml'
import type { Learned } from '../../../src/fidelity/learn/learn.js'
import { writeProfile } from '../../../src/fidelity/learn/write.js'
import { compileProfile } from '../../../src/profile/profile.js'
import { builtInWording } from '../../../src/resources/vocabulary.js'
import { type Body, buildMock } from '../../helper.js'
import { temporaryFolder } from '../../temporary.js'
import { otherEdition } from './other-edition.js'

/** Checks that a learned profile is valid, and survives being written. @returns the text */
export function checkForm(t: Test, learned: Learned): string {
  const written = writeProfile(learned)
  t.strictSame(parse(written), JSON.parse(JSON.stringify(learned.profile)), 'comments change nothing')
  t.equal(compileProfile(learned.profile, builtInWording).name, learned.profile.name, 'a server takes it')
  for (const renames of [...Object.values(learned.profile.names ?? {}), ...Object.values(learned.profile.states ?? {})])
    t.equal(new Set(Object.values(renames)).size, Object.keys(renames).length, 'names are one to one')
  const long = written.split('\n').filter((line) => line.length > 120 && line.startsWith('#'))
  t.strictSame(long, [], 'comments fit on the screen')
  return written
}

/** The mock's own OpenAPI document. */
export async function ownDocument(t: Test): Promise<Body> {
  const { call } = await buildMock(t)
  const { body } = await call('GET', '/openapi.json', { prefix: '' })
  return body
}

/** Writes the document of the other edition to a YAML file. @returns its path */
export function otherEditionFile(t: Test): string {
  const file = join(temporaryFolder(t), 'other-edition.yaml')
  writeFileSync(file, stringify(otherEdition()))
  return file
}

export interface Renames {
  readonly field: (name: string) => string
  readonly schema: (name: string) => string
  readonly operation: (id: string) => string
}

/** A copy of a document in OpenAPI 3 with other names of fields, schemas and operations, and without examples. */
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
