import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { type Stored, Table } from '../../db/table.js'
import { ref, replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { fromCatalogue } from '../../profile/by-profile.js'
import { SvcDatabaseSchema } from '../databases/fields.js'
import { byDefault, CREATOR, id, nameOf, newId, text } from '../document.js'
import { extraField } from '../extra.js'
import { as, completer, inDocument, type NewRow, properties, type ResourceTable } from '../field-table.js'
import { WorkspaceSchema } from '../workspaces/fields.js'

/** A workgroup without its contents. */
export const WORKGROUPS = {
  name: 'workgroups',
  shownAs: 'Workgroup',
  key: ['id'],
  fields: {
    id: { type: Type.String(), defaultOf: newId, document: id, reply: as('workgroup_id', Type.String()) },
    name: {
      type: Type.String(),
      defaultOf: nameOf('workgroup'),
      document: text('Its id if that is given, otherwise `workgroup-` and the first 8 characters of it.'),
      create: text('`workgroup-` and the first 8 characters of the id if absent.'),
      update: as('workgroup_name', text('New name.')),
      reply: Type.String(),
      compared: 'stable'
    },
    org_id: { reply: Type.String() },
    org_name: { reply: Type.String() },
    creator: CREATOR,
    cloud_provider_id: {
      type: Type.String(),
      default: 'my-account',
      document: text('Account at the cloud provider; my-account if absent.'),
      create: Type.String({ ...requestText, description: 'Account at the cloud provider that the workgroup runs in.' }),
      reply: Type.String(),
      compared: 'stable'
    },
    platform: {
      type: Type.String(),
      defaultOf: ({ catalogue }: NewRow) => catalogue.defaults.platform,
      document: Type.Optional(fromCatalogue('platforms', ({ platform }) => byDefault('Cloud platform', platform))),
      create: Type.Optional(fromCatalogue('platforms', ({ platform }) => byDefault('Cloud platform', platform))),
      reply: Type.String(),
      list: 'platforms',
      compared: 'stable'
    },
    region: {
      type: Type.String(),
      defaultOf: ({ catalogue }: NewRow) => catalogue.defaults.region,
      document: Type.Optional(fromCatalogue('regions', (defaults) => byDefault('Region', defaults.region))),
      create: Type.Optional(
        fromCatalogue('regions', (defaults) => byDefault('A region of the metadata', defaults.region))
      ),
      reply: Type.String(),
      list: 'regions',
      compared: 'stable'
    },
    /** In a state document: `allow_list.enabled`. */
    enable_allow_list: {
      type: Type.Boolean(),
      default: false,
      reply: Type.Boolean({ description: 'Whether the allow list is in force.' }),
      compared: 'stable'
    },
    svc_databases: {
      reply: Type.Array(ref(SvcDatabaseSchema), {
        description: 'Databases of the workgroup, without their workspaces.'
      })
    },
    workspaces: { reply: Type.Array(ref(WorkspaceSchema), { description: 'Workspaces of the workgroup.' }) },
    extra: extraField('workgroup')
  }
} as const satisfies ResourceTable

export type WorkgroupRecord = Stored<typeof WORKGROUPS.fields>

/** Completes a new workgroup with its defaults. */
export const newWorkgroup = completer(WORKGROUPS.fields)

export const workgroupInDocument = inDocument(WORKGROUPS)

export const CreateWorkgroupRequestSchema = requestSchema(
  'P-020',
  'CreateWorkgroupRequest',
  'A workgroup to create.',
  properties(WORKGROUPS.fields, 'create')
)

export const UpdateWorkgroupRequestSchema = requestSchema(
  'P-021',
  'UpdateWorkgroupRequest',
  'Changes to a workgroup.',
  properties(WORKGROUPS.fields, 'update')
)

export const WorkgroupSchema = replySchema(
  'P-022',
  WORKGROUPS.shownAs,
  'A group of workspaces and databases in one region.',
  properties(WORKGROUPS.fields, 'reply')
)
export type Workgroup = Static<typeof WorkgroupSchema>

/** The rows of workgroups. Every function takes the sandbox key first; lists are in order of creation. */
export function workgroupStore(db: Database) {
  const table = new Table(db, WORKGROUPS)
  const known = db.prepare<[number, string], 1>('SELECT 1 FROM workgroups WHERE sandbox = ? AND id = ?').pluck()
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('id'),
    list: table.lister(),
    has: (sandbox: number, id: string) => known.get(sandbox, id) !== undefined,
    /** Removes a workgroup and its contents. */
    remove: table.remover('id')
  }
}
