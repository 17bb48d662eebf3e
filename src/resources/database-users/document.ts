import { type Static, Type } from '@sinclair/typebox'
import { requestText } from '../../interface/schemas.js'
import { closed } from '../../lib/closed.js'
import { extraState } from '../../profile/extra-state.js'
import { type DocumentCheck, id, resources, text, timestamp, when } from '../document.js'
import { extraOf } from '../extra.js'
import type { Tx } from '../tx.js'
import type { DatabaseUserRecord } from './fields.js'
import { hashPassword } from './passwords.js'

const DatabaseUserStateSchema = closed(
  {
    id,
    username: Type.String({ ...requestText, description: 'Name of the user.' }),
    password: text('Password in clear; only its hash is kept.'),
    password_hash: text('Salted hash of the password, as an export has it.'),
    created: when('Creation'),
    updated: when('Last change', '`created`'),
    extra: extraState('database_user')
  },
  { description: 'An in-database user; exactly one of password and password_hash.' }
)
type DatabaseUserState = Static<typeof DatabaseUserStateSchema>

/** The in-database users of a workspace in a state document. */
export const databaseUserFields = { users: resources(DatabaseUserStateSchema) }

/** @param user must have a password hash */
export function addDatabaseUser(tx: Tx, workspace: string, user: DatabaseUserState): void {
  tx.databaseUsers.insert({
    workspace,
    id: user.id ?? tx.newId(),
    username: user.username,
    passwordHash: user.password_hash!,
    created: timestamp(tx, user.created),
    updated: timestamp(tx, user.updated ?? user.created),
    extra: user.extra
  })
}

export function toDatabaseUserState({ passwordHash, ...user }: DatabaseUserRecord): DatabaseUserState {
  const { id, username, created, updated } = user
  return { id, username, password_hash: passwordHash, created, updated, ...extraOf(user) }
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
