import type { Static } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { extraState } from '../../profile/extra-state.js'
import { type DocumentCheck, id, identify, text, timestamp, version, when } from '../document.js'
import { extraOf } from '../extra.js'
import type { Tx } from '../tx.js'
import type { DatabaseRecord } from './fields.js'

/** A database in a state document. */
export const DatabaseStateSchema = closed({
  id,
  name: text('Its id if that is given, otherwise `database-` and the first 8 characters of it.'),
  svc_version: version(),
  create_time: when('Creation'),
  extra: extraState('database')
})
type DatabaseState = Static<typeof DatabaseStateSchema>

/** @returns the id of the database */
export function addDatabase(tx: Tx, workgroup: string, database: DatabaseState): string {
  const named = identify(tx, 'database', database)
  tx.databases.insert({
    ...named,
    workgroup,
    svcVersion: database.svc_version ?? tx.catalogue.defaults.version,
    createTime: timestamp(tx, database.create_time),
    extra: database.extra
  })
  return named.id
}

export function toDatabaseState(database: DatabaseRecord): DatabaseState {
  const { id, name, svcVersion, createTime } = database
  return { id, name, svc_version: svcVersion, create_time: createTime, ...extraOf(database) }
}

/** @param path path of the workgroup */
export function checkDatabases(databases: readonly DatabaseState[], path: string, { unique }: DocumentCheck): void {
  databases.forEach((database, index) => {
    unique('database', `${path}.databases.${index}.id`, database.id)
  })
}
