import type { Static } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { type DocumentCheck, resources } from '../document.js'
import { properties, reader, stater } from '../field-table.js'
import type { Tx } from '../tx.js'
import { DATABASE_USERS, newDatabaseUser } from './fields.js'
import { hashPassword } from './passwords.js'

const DatabaseUserStateSchema = closed(properties(DATABASE_USERS.fields, 'document'), {
  description: 'An in-database user; exactly one of password and password_hash.'
})
type DatabaseUserState = Static<typeof DatabaseUserStateSchema>

/** The in-database users of a workspace in a state document. */
export const databaseUserFields = { users: resources(DatabaseUserStateSchema) }

const given = reader(DATABASE_USERS.fields, 'document')
export const toDatabaseUserState = stater(DATABASE_USERS.fields)

/** @param user must have a password hash */
export function addDatabaseUser(tx: Tx, workspace: string, user: DatabaseUserState): void {
  const { username, password_hash: passwordHash = '' } = user
  tx.databaseUsers.insert(newDatabaseUser(tx, { ...given(user), workspace, username, passwordHash }))
}

/** @param path path of the workspace */
export function checkDatabaseUsers(
  users: readonly DatabaseUserState[],
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
 * @param document the document with the user; see {@link hashPassword}, also for the rest
 */
export function withHash(
  { password, ...user }: DatabaseUserState,
  server: { readonly isClosed: boolean },
  document: object
): Promise<DatabaseUserState> | undefined {
  if (password === undefined) return undefined
  return hashPassword(password, server, document).then((hash) => ({ ...user, password_hash: hash }))
}
