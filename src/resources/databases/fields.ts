import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { type Stored, Table } from '../../db/table.js'
import { ref, replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { toSeconds } from '../../lib/time.js'
import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { atCreation, id, nameOf, newId, text, version, when } from '../document.js'
import { extraField } from '../extra.js'
import { as, completer, inDocument, type NewRow, properties, type ResourceTable, viewer } from '../field-table.js'
import { FolderStatisticsSchema } from '../workspaces/parts.js'
import { toStatisticsView } from '../workspaces/views.js'

/** A database without its contents. */
export const DATABASES = {
  name: 'databases',
  shownAs: 'SvcDatabase',
  key: ['id'],
  fields: {
    id: { type: Type.String(), defaultOf: newId, document: id, reply: as('database_id', Type.String()) },
    name: {
      type: Type.String(),
      defaultOf: nameOf('database'),
      document: text('Its id if that is given, otherwise `database-` and the first 8 characters of it.'),
      update: as('svc_database_name', Type.String({ ...requestText, description: 'New name.' })),
      reply: Type.String(),
      compared: 'stable'
    },
    org_id: { reply: Type.String() },
    org_name: { reply: Type.String() },
    /** Id of its workgroup. */
    workgroup: { type: Type.String(), isFixed: true, reply: as('workgroup_id', Type.String()) },
    region: { reply: Type.String(), list: 'regions', compared: 'stable' },
    svc_version: {
      type: Type.String(),
      defaultOf: ({ catalogue }: NewRow) => catalogue.defaults.version,
      document: version(),
      reply: Type.String(),
      list: 'versions',
      compared: 'stable'
    },
    create_time: {
      type: Type.String(),
      defaultOf: atCreation,
      document: when('Creation'),
      shown: toSeconds,
      reply: Type.String({ description: 'Timestamp.' }),
      isCarried: true
    },
    folder_statistics: { reply: ref(FolderStatisticsSchema) },
    workspaces: {
      reply: Type.Optional(
        Type.Array(Type.Unsafe<unknown>({ $ref: 'Workspace#' }), {
          description: 'Its workspaces; absent in a list of a workgroup.'
        })
      ),
      compared: 'occasional'
    },
    extra: extraField('database')
  }
} as const satisfies ResourceTable

export type DatabaseRecord = Stored<typeof DATABASES.fields>

/** Completes a new database with its defaults. */
export const newDatabase = completer(DATABASES.fields)

export const databaseInDocument = inDocument(DATABASES)

export const UpdateSvcDatabaseRequestSchema = requestSchema(
  'P-026',
  'UpdateSvcDatabaseRequest',
  'Changes to a database.',
  properties(DATABASES.fields, 'update')
)

export const SvcDatabaseSchema = replySchema(
  'P-025',
  DATABASES.shownAs,
  'A database that workspaces serve.',
  properties(DATABASES.fields, 'reply')
)
export type SvcDatabase = Static<typeof SvcDatabaseSchema>

interface Context {
  readonly org: Org
  readonly region: string
  /** Ids of the workspaces that use it. */
  readonly workspaceIds: readonly string[]
  readonly words: StateWords
}

/** A database as the interface shows it, without its workspaces. */
export const toDatabaseView = viewer<typeof DATABASES.fields, Context>(DATABASES.fields, {
  org_id: (_, { org }) => org.orgId,
  org_name: (_, { org }) => org.orgName,
  region: (_, { region }) => region,
  folder_statistics: (_, { workspaceIds }) => toStatisticsView(workspaceIds)
})

/** The rows of databases. Every function takes the sandbox key first; lists are in order of creation. */
export function databaseStore(db: Database) {
  const table = new Table(db, DATABASES)
  const count = db
    .prepare<[number, string], number>('SELECT count(*) FROM databases WHERE sandbox = ? AND workgroup = ?')
    .pluck()
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('workgroup', 'id'),
    /** Finds a database for a path that does not name its workgroup. */
    findAnywhere: table.finder('id'),
    list: table.lister('workgroup'),
    listAll: table.lister(),
    countOfWorkgroup: (sandbox: number, workgroup: string) => count.get(sandbox, workgroup)!,
    remove: table.remover('id')
  }
}
