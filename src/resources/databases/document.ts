import type { Static } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import type { DocumentCheck } from '../document.js'
import { properties, reader, stater } from '../field-table.js'
import type { Tx } from '../tx.js'
import { DATABASES, newDatabase } from './fields.js'

/** A database in a state document. */
export const DatabaseStateSchema = closed(properties(DATABASES.fields, 'document'))
type DatabaseState = Static<typeof DatabaseStateSchema>

const given = reader(DATABASES.fields, 'document')
export const toDatabaseState = stater(DATABASES.fields)

export function addDatabase(tx: Tx, workgroup: string, database: DatabaseState): void {
  addNewDatabase(tx, { ...given(database), workgroup })
}

/** @returns the id of the database */
export function addNewDatabase(tx: Tx, database: Parameters<typeof newDatabase>[1]): string {
  const record = newDatabase(tx, database)
  tx.databases.insert(record)
  return record.id
}

/** @param path path of the workgroup */
export function checkDatabases(databases: readonly DatabaseState[], path: string, { unique }: DocumentCheck): void {
  databases.forEach((database, index) => unique('database', `${path}.databases.${index}.id`, database.id))
}
