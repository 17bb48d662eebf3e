import type { Static } from '@sinclair/typebox'
import type { DocumentCheck } from '../document.js'
import type { databaseInDocument } from './fields.js'

/** @param path path of the workgroup */
export function checkDatabases(
  { databases = [] }: { readonly databases?: readonly Static<typeof databaseInDocument.schema>[] },
  path: string,
  { unique }: DocumentCheck
): void {
  databases.forEach(({ id }, index) => unique('database', `${path}.databases.${index}.id`, id))
}
