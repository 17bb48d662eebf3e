import type { Static } from '@sinclair/typebox'
import type { DocumentCheck } from '../document.js'
import type { databaseUserInDocument } from './fields.js'

/** @param path path of the workspace */
export function checkDatabaseUsers(
  { users = [] }: { readonly users?: readonly Static<typeof databaseUserInDocument.schema>[] },
  path: string,
  { complain, unique }: DocumentCheck
): void {
  users.forEach((user, index) => {
    const at = `${path}.users.${index}`
    unique('user', `${at}.id`, user.id)
    unique(`username of ${path}`, `${at}.username`, user.username)
    if ((user.password === undefined) === (user.password_hash === undefined)) {
      complain(at, 'must have exactly one of password and password_hash')
    }
  })
}
