import { type TSchema, Type } from '@sinclair/typebox'
import * as envelopes from '../interface/envelope.js'
import type { Mirrored, MIRRORS } from '../profile/fields.js'
import type { ReplyFields } from '../profile/omit.js'
import type { BuiltIn, Profile } from '../profile/profile.js'
import * as allowList from './allow-list/fields.js'
import * as backups from './backups/fields.js'
import * as databaseUsers from './database-users/fields.js'
import * as databases from './databases/fields.js'
import * as metadata from './metadata/schemas.js'
import * as orgUsers from './org-users/fields.js'
import * as schedules from './schedules/fields.js'
import { REQUESTABLE, STATES } from './states.js'
import { SHOWN_RESOURCES } from './tables.js'
import * as workgroups from './workgroups/fields.js'
import * as workspaces from './workspaces/fields.js'
import * as workspaceParts from './workspaces/parts.js'

type NamedSchema = TSchema & { $id: string }

/** Every schema that is published under its own name. */
export const NAMED_SCHEMAS: readonly NamedSchema[] = [
  envelopes,
  workgroups,
  allowList,
  workspaceParts,
  databases,
  workspaces,
  metadata,
  backups,
  schedules,
  databaseUsers,
  orgUsers
]
  .flatMap((module): unknown[] => Object.values(module))
  .filter((value): value is NamedSchema => typeof value === 'object' && value !== null && '$id' in value)

/** Fields with the beginnings of their values that can be renamed. */
export const PREFIXES: Readonly<Record<string, string>> = { srn: 'srn:svc:', image: 'svc/' }

/** A schema, as far as it says which names there are. */
export interface Described {
  readonly $id?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly enum?: readonly unknown[]
  readonly additionalProperties?: unknown
  readonly [MIRRORS]?: Mirrored
}

/** The names in schemas, and in the envelope. */
export function namesIn(schemas: readonly object[]) {
  const fields = new Set<string>()
  const ids = new Set<string>()
  const values = new Set<string>()
  const listed = new Set<string>()
  const open = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { $id, properties = {} } = value as Described
    if ($id !== undefined) ids.add($id)
    for (const [name, property] of Object.entries(properties)) {
      fields.add(name)
      if (property.additionalProperties === true) open.add(name)
      const list = property.enum ?? property.items?.enum ?? []
      if (list.length > 0) listed.add(name)
      for (const item of list) if (typeof item === 'string') values.add(item)
    }
    Object.values(value).forEach(visit)
  }
  ;[...schemas, envelopes.envelope(Type.Unknown())].forEach(visit)
  return {
    fields: [...fields],
    schemas: [...ids],
    values: [...values],
    prefixes: Object.values(PREFIXES),
    /** Fields with an enumeration. */
    listed,
    /** Fields whose contents only the client knows; nothing inside them is renamed. */
    open
  }
}

/** The built-in schemas and words of the interface, with the values and fields of a profile. */
export function builtInWording(profile: Profile): BuiltIn & { readonly schemas: readonly NamedSchema[] } {
  const schemas = NAMED_SCHEMAS.map((schema) => profile.schema(schema))
  const vocabulary = namesIn([...schemas, allowList.CurrentIPSchema])
  const replies = replyFieldsOf(schemas)
  return { schemas, vocabulary, replies, resources: SHOWN_RESOURCES, states: STATES, requestable: REQUESTABLE }
}

/** Whether only requests have a schema, unless another schema refers to it. */
const isOfRequest = ({ $id }: NamedSchema) => /(?:Request|\.PutOrgUsersRoles)$/.test($id)

/** The fields that replies can have, by schema. */
function replyFieldsOf(schemas: readonly NamedSchema[]): ReplyFields {
  const found = new Map<string, readonly string[]>()
  const visit = (schema: NamedSchema): void => {
    if (found.has(schema.$id)) return
    const { properties, items } = schema as Described
    found.set(schema.$id, Object.keys(properties ?? items!.properties!))
    for (const [, id] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)#"/g))
      visit(schemas.find(({ $id }) => $id === id)!)
  }
  for (const schema of schemas) if (!isOfRequest(schema)) visit(schema)
  return found
}
