import { Type } from '@sinclair/typebox'
import { FORBIDDEN_NAME } from '../interface/json-pieces.js'
import type { Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { by, type Complain, forEach } from './form.js'
import { checkRenames, Renaming } from './renaming.js'

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
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[]

/** Kinds of names that JSON documents have as keys, and the one key that they cannot have. */
const KEYS: readonly string[] = ['fields', 'schemas']
const UNUSABLE = '__proto__'

/** The names that there are, by kind. */
export type Vocabulary = Readonly<Record<keyof typeof KINDS, readonly string[]>>

/** How names are renamed, by kind. */
export type Names = Readonly<Record<keyof typeof KINDS, Renaming>>

export function checkNames(names: NamesDocument, vocabulary: Vocabulary, complain: Complain): void {
  for (const kind of KIND_NAMES) {
    const renames = names[kind] ?? {}
    checkRenames(renames, vocabulary[kind], `names.${kind}`, KINDS[kind], complain)
    for (const [name, other] of Object.entries(renames))
      if (KEYS.includes(kind) && other === UNUSABLE)
        complain(`names.${kind}.${name}`, `must not be ${UNUSABLE}, which ${FORBIDDEN_NAME}`)
  }
}

/** @param names checked by {@link checkNames} */
export const compileNames = (names: NamesDocument): Names =>
  forEach(KIND_NAMES, (kind) => new Renaming(names[kind] ?? {}))
