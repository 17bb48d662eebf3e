import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { by, type Complain, forEach } from './form.js'
import { checkRenames, type Renaming, renaming } from './renaming.js'

const renames = (pattern: string, description: string) =>
  Type.Optional(by(description, Type.String({ pattern, maxLength: 256 })))

export const NamesSchema = strict(
  {
    fields: renames('^(?!__proto__$)[A-Za-z_][\\w-]*$', 'Fields of requests and replies, wherever they occur.'),
    schemas: renames('^(?!__proto__$)[\\w.-]+$', 'Schemas of the OpenAPI document.'),
    values: renames('^\\S(.*\\S)?$', 'Values of enumerations, such as workspace types and roles.'),
    prefixes: renames('^\\S+$', 'Prefixes of resource names (`srn:svc:`) and of images (`svc/`).')
  },
  { description: 'New names by the built-in ones. All are renamed at once, so swaps work.' }
)
export type NamesDocument = Shape<typeof NamesSchema>

/** The kinds of names, as messages call them. */
const KINDS = {
  fields: 'a field of the interface',
  schemas: 'a schema of the interface',
  values: 'a value of an enumeration',
  prefixes: 'a prefix'
} as const
const KIND_NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[]

/** All known names, by kind. */
export type Vocabulary = Readonly<Record<keyof typeof KINDS, readonly string[]>>

export type Names = Readonly<Record<keyof typeof KINDS, Renaming>>

export function checkNames(names: NamesDocument, vocabulary: Vocabulary, complain: Complain): void {
  for (const kind of KIND_NAMES)
    checkRenames(names[kind] ?? {}, vocabulary[kind], `names.${kind}`, KINDS[kind], complain)
}

/** @param names checked by {@link checkNames} */
export const compileNames = (names: NamesDocument): Names => forEach(KIND_NAMES, (kind) => renaming(names[kind]))
