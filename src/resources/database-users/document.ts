import type { Static } from '@sinclair/typebox'
import type { DocumentCheck } from '../document.js'
import type { databaseUserInDocument } from './fields.js'
import { hashPassword } from './passwords.js'

type DatabaseUserState = Static<typeof databaseUserInDocument.schema>

/** @param path path of the workspace */
export function checkDatabaseUsers(
  { users = [] }: { readonly users?: readonly DatabaseUserState[] },
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

/**
 * Replaces a user's password with its hash; undefined if the user has no password.
 * @param document see {@link hashPassword}
 */
export function withHash(
  { password, ...user }: DatabaseUserState,
  server: { readonly isClosed: boolean },
  document: object
): Promise<DatabaseUserState> | undefined {
  if (password === undefined) return undefined
  return hashPassword(password, server, document).then((hash) => ({ ...user, password_hash: hash }))
}
