import { type TArray, type TOptional, type TSchema, Type } from '@sinclair/typebox'
import { type Json, listOf } from '../lib/json.js'
import { checkAllowedIps } from './allow-list/document.js'
import { allowedIpInDocument } from './allow-list/fields.js'
import { checkBackups, checkRestoreJobs, toBackupRow } from './backups/document.js'
import { backupInDocument, jobInDocument } from './backups/fields.js'
import { checkDatabaseUsers } from './database-users/document.js'
import { databaseUserInDocument } from './database-users/fields.js'
import { checkDatabases } from './databases/document.js'
import { databaseInDocument } from './databases/fields.js'
import { type DocumentCheck, resources } from './document.js'
import type { inDocument, NewRow, ResourceTable } from './field-table.js'
import { checkBackupSchedule, checkSchedules, toScheduleRow } from './schedules/document.js'
import { backupScheduleInDocument, scheduleInDocument } from './schedules/fields.js'
import type { SandboxStores, StoreName } from './tx.js'

/** A kind of resource in state documents, and its rows. */
export interface InDocument extends Pick<ReturnType<typeof inDocument>, 'hasState' | 'kind' | 'restate'> {
  readonly table: ResourceTable
  readonly schema: TSchema
  readonly toState: (row: never) => object
  readonly toRow: (tx: NewRow, state: never, others: never) => object
}

/** A kind of resource that belongs to a workgroup or a workspace, its owner. */
export interface Part {
  readonly inDocument: InDocument
  readonly store: StoreName
  /** Whether an owner has at most one, which its document has without a list. */
  readonly isSingle?: boolean
  /** Checks those of an owner in a document whose fields are valid individually. @param path path of the owner */
  check(owner: never, path: string, check: DocumentCheck): void
  /** The row that a document gives, if it depends on more than that. @param owner row of the owner */
  toRow?(tx: NewRow, state: never, owner: never): object
}

/** By name in the document of the owner. */
export type Parts = Readonly<Record<string, Part>>

/** The parts of a workgroup besides workspaces. The entries are inside its `allow_list`. */
export const WORKGROUP_PARTS = {
  entries: { inDocument: allowedIpInDocument, store: 'allowList', check: checkAllowedIps },
  databases: { inDocument: databaseInDocument, store: 'databases', check: checkDatabases }
} as const satisfies Parts

/** The parts of a workspace. */
export const WORKSPACE_PARTS = {
  backups: { inDocument: backupInDocument, store: 'backups', check: checkBackups, toRow: toBackupRow },
  restore_jobs: { inDocument: jobInDocument, store: 'restoreJobs', check: checkRestoreJobs },
  backup_schedule: {
    inDocument: backupScheduleInDocument,
    store: 'backupSchedules',
    isSingle: true,
    check: checkBackupSchedule
  },
  schedules: { inDocument: scheduleInDocument, store: 'schedules', check: checkSchedules, toRow: toScheduleRow },
  users: { inDocument: databaseUserInDocument, store: 'databaseUsers', check: checkDatabaseUsers }
} as const satisfies Parts

type SchemaOf<P extends Part> = P['inDocument']['schema']
type Schemas<P extends Parts> = {
  -readonly [Name in keyof P]: TOptional<
    P[Name] extends { readonly isSingle: true } ? SchemaOf<P[Name]> : TArray<SchemaOf<P[Name]>>
  >
}

/** The schemas of parts in the document of their owner. */
export function partSchemas<P extends Parts>(parts: P): Schemas<P> {
  const schemas = Object.entries(parts).map(([name, part]) => {
    const { schema } = part.inDocument
    return [name, part.isSingle ? Type.Optional(schema) : resources(schema)] as const
  })
  return Object.fromEntries(schemas) as Schemas<P>
}

/** The parts of one kind in the document of an owner, which may have any shape; undefined if absent. */
export function itemsIn(owner: Json, { isSingle }: Part, name: string): readonly object[] | undefined {
  const value = owner[name]
  if (value === undefined) return undefined
  return (isSingle ? [value] : listOf(value)) as object[]
}

/** The parts of each kind in the document of an owner, which may have any shape. */
export const partsIn = (parts: Parts, owner: Json): (readonly [Part, readonly object[]])[] =>
  Object.entries(parts).map(([name, part]) => [part, itemsIn(owner, part, name) ?? []])

/** The parts in the document of an owner. @param of returns those of one kind; undefined to leave it out */
export function withParts(parts: Parts, of: (part: Part, name: string) => readonly object[] | undefined): Json {
  const document: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(parts)) {
    const items = of(part, name)
    const value = part.isSingle ? items?.[0] : items
    if (value !== undefined) document[name] = value
  }
  return document
}

/** The column of parts with the id of their owner. */
export const ownerColumn = ({ inDocument: { table } }: Part): 'workspace' | 'workgroup' =>
  'workspace' in table.fields ? 'workspace' : 'workgroup'

/** The row that a document gives. @param owner row of the owner */
export const partRow = (tx: NewRow, part: Part, state: object, owner: { readonly id: string }): object =>
  part.toRow?.(tx, state as never, owner as never) ??
  part.inDocument.toRow(tx, state as never, { [ownerColumn(part)]: owner.id } as never)

/** What the stores of all parts have in common. */
interface PartStore {
  insert(row: object): void
  list(owner: string): readonly object[]
  listAll(): readonly Readonly<Record<ReturnType<typeof ownerColumn>, string>>[]
}

export const partStore = (stores: SandboxStores, { store }: Part): PartStore => stores[store] as unknown as PartStore
