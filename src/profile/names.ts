import { Type } from '@sinclair/typebox'
import type { FieldError } from '../interface/errors.js'
import { FORBIDDEN_NAME } from '../interface/json-pieces.js'
import type { Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { by } from './form.js'
import { Renaming, renamingErrors } from './renaming.js'

const renames = (pattern: string, description: string) =>
  Type.Optional(by(description, Type.String({ pattern, maxLength: 256 })))

/** The part `names` of a profile. */
export const NamesSchema = closed(
  {
    fields: renames('^[A-Za-z_][\\w-]*$', 'Fields of requests and replies, wherever they occur.'),
    schemas: renames('^[\\w.-]+$', 'Schemas of the OpenAPI document.'),
    values: renames('^\\S(.*\\S)?$', 'Values of enumerations, such as workspace types and roles.'),
    prefixes: renames('^\\S+$', 'Beginnings of resource names (`srn:svc:`) and of images (`svc/`).')
  },
  { description: 'New names by the built-in ones. All are renamed at once, so two can be swapped.' }
)
export type NamesDocument = Shape<typeof NamesSchema>

/** The parts of {@link NamesSchema}, each with what its names are. */
const KINDS = {
  fields: 'a field of the interface',
  schemas: 'a schema of the interface',
  values: 'a value of an enumeration',
  prefixes: 'a prefix'
} as const

/** Kinds of names that JSON documents have as keys, and the one key that they cannot have. */
const KEYS: readonly string[] = ['fields', 'schemas']
const UNUSABLE = '__proto__'

/** The names that there are, by kind. */
export type Vocabulary = Readonly<Record<keyof typeof KINDS, readonly string[]>>

/** How names are renamed, by kind. */
export type Names = Readonly<Record<keyof typeof KINDS, Renaming>>

/** @param path path of the part in its document */
export function namesErrors(names: NamesDocument, vocabulary: Vocabulary, path = 'names'): FieldError[] {
  return Object.entries(KINDS).flatMap(([name, what]) => {
    const kind = name as keyof typeof KINDS
    const renames = names[kind] ?? {}
    return [
      ...renamingErrors(renames, vocabulary[kind], `${path}.${kind}`, what),
      ...Object.entries(renames).flatMap(([old, other]) =>
        KEYS.includes(kind) && other === UNUSABLE
          ? [{ field: `${path}.${kind}.${old}`, reason: `must not be ${UNUSABLE}, which ${FORBIDDEN_NAME}` }]
          : []
      )
    ]
  })
}

/** @param names checked by {@link namesErrors} */
export function compileNames({ fields = {}, schemas = {}, values = {}, prefixes = {} }: NamesDocument): Names {
  return {
    fields: new Renaming(fields),
    schemas: new Renaming(schemas),
    values: new Renaming(values),
    prefixes: new Renaming(prefixes)
  }
}
