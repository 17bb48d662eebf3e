import { Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'
import { requestText } from '../../interface/schemas.js'
import { inDocument, type ResourceTable } from '../field-table.js'

type Json = Readonly<Record<string, unknown>>

/** Items that the stubs of a profile have stored. */
export const STUB_ITEMS = {
  name: 'stub_items',
  key: ['path', 'id'],
  fields: {
    path: {
      type: Type.String(),
      document: Type.String({ ...requestText, maxLength: 2048, description: 'Path of its collection.' })
    },
    id: {
      type: Type.String(),
      document: Type.String({ format: 'readable-id', description: 'Its name in the path.' })
    },
    value: {
      type: Type.Unsafe<Json>({ type: 'object' }),
      document: Type.Unsafe<Json>({ type: 'object', description: 'Its fields.' })
    }
  }
} as const satisfies ResourceTable

export const stubItemInDocument = inDocument(STUB_ITEMS)

/** The rows of stub items. Every function takes the sandbox key first; lists are in order of creation. */
export function stubItemStore(db: Database) {
  const table = new Table(db, STUB_ITEMS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    remove: table.remover('path', 'id'),
    find: table.finder('path', 'id'),
    list: table.lister('path'),
    listAll: table.lister()
  }
}
