import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { type Stored, Table } from '../../db/table.js'
import { requestSchema } from '../../interface/schemas.js'
import { canonicalBlock } from '../../lib/ip.js'
import { id, newId } from '../document.js'
import { extraField } from '../extra.js'
import { completer, inDocument, properties, type ResourceTable, viewer } from '../field-table.js'

const note = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))

/** An entry of the allow list of a workgroup. Requests and replies have it in one form. */
export const ALLOWED_IPS = {
  name: 'allowed_ips',
  shownAs: 'AllowedIP',
  key: ['workgroup', 'id'],
  fields: {
    /** Id of its workgroup. */
    workgroup: { type: Type.String() },
    /** In canonical form. */
    cidr: {
      type: Type.String(),
      document: Type.String({ format: 'cidr', description: 'Address or block.' }),
      stored: (text: string) => canonicalBlock(text),
      reply: Type.String({
        format: 'cidr',
        description:
          'An IPv4 or IPv6 address or CIDR block; answered in canonical form: a bare address as a block of ' +
          'one, host bits cleared, IPv6 compressed, an IPv4-mapped block as IPv4.'
      }),
      compared: 'stable'
    },
    note: {
      type: Type.String(),
      default: '',
      document: note('A remark; empty if absent.'),
      reply: note('A remark; may be empty.'),
      compared: 'stable'
    },
    id: {
      type: Type.String(),
      defaultOf: newId,
      document: id,
      reply: Type.Optional(Type.String({ description: 'Set by the server; ignored in a request.' }))
    },
    extra: extraField('allowed_ip')
  }
} as const satisfies ResourceTable

export type AllowedIpRecord = Stored<typeof ALLOWED_IPS.fields>

/** Completes a new entry with its defaults. */
export const newAllowedIp = completer(ALLOWED_IPS.fields)

export const allowedIpInDocument = inDocument(ALLOWED_IPS)

/** An entry as the interface shows it. */
export const toAllowedIpView = viewer(ALLOWED_IPS.fields, {})

export const AllowedIPSchema = requestSchema(
  'P-023',
  ALLOWED_IPS.shownAs,
  'An address or block that may call; sent and answered in this form.',
  properties(ALLOWED_IPS.fields, 'reply')
)
export type AllowedIP = Static<typeof AllowedIPSchema>

// The interface documents these fields, so they are not marked as assumed.
export const CurrentIPSchema = Type.Object({
  IsAllowed: Type.Optional(Type.Boolean({ description: 'Whether the allow list lets the caller in.' })),
  CurrentIP: Type.Optional(Type.String({ description: "The caller's address." }))
})

/** The rows of allow lists. Every function takes the sandbox key first; lists are in order of creation. */
export function allowListStore(db: Database) {
  const table = new Table(db, ALLOWED_IPS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    list: table.lister('workgroup'),
    listAll: table.lister(),
    find: table.finder('workgroup', 'id'),
    /** Finds an entry for a path that does not name its workgroup. */
    findAnywhere: table.finder('id'),
    /** The entry for a canonical block. */
    findBlock: table.finder('workgroup', 'cidr'),
    /** @returns how many were removed */
    remove: table.remover('workgroup', 'id')
  }
}
