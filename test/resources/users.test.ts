import { scryptSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { hashPassword } from '../../src/resources/database-users/passwords.js'
import { type ActiveWorkspace, openActiveWorkspace, testsWithActive } from '../active-workspace.js'
import { type Body, buildMock, type BuiltMock, type Call, matchError, matchSuccess, pluck, UUID } from '../helper.js'
import { logLines } from '../log-lines.js'
import { at, NONE, seconds } from '../sandbox.js'

const testActive = testsWithActive(await buildMock(t))

const dbuser = ({ call, path }: ActiveWorkspace, method: 'POST' | 'GET' | 'PUT' | 'DELETE', body?: unknown) =>
  call(method, `${path}/dbuser`, body)

/** The hash of a password, as it is stored. */
const hashOf = ({ plane }: BuiltMock, key: string, workspace: string, username: string) =>
  plane.storesOf(plane.sandboxes.find(sandboxIdOf(key))!).databaseUsers.find(workspace, username)!.passwordHash

/** An in-database user as it is shown. */
const user = (id: string, username: string, org: string, created = at(0), updated = created) => ({
  id,
  username,
  email: '',
  firstName: '',
  lastName: '',
  enabled: true,
  path: '/',
  tenantID: org,
  auth0UserID: `auth|${id}`,
  srn: `srn:svc:iam:${org}:user/${id}`,
  created: seconds(created),
  updated: seconds(updated)
})

async function orgIdOf({ call, workgroup }: ActiveWorkspace): Promise<string> {
  return (await call('GET', `/workgroups/${workgroup}`)).body.Result.org_id as string
}

// ---------------------------------------------------------------------------------------------------------------------
// In-database users

testActive(
  'operation 23 creates a user, whom operation 24 lists with every field, in the order of creation',
  async (t, b) => {
    const org = await orgIdOf(b)
    matchSuccess(t, await dbuser(b, 'GET'), 'Successfully listed the users.', [])
    const expected = []
    for (const [index, username] of ['zoe', 'adam', 'Ümläut 🚀', 'x'.repeat(256)].entries()) {
      const reply = await dbuser(b, 'POST', { username, password: 'x' })
      const id = reply.body.Result.id as string
      t.match(id, UUID)
      const shown = user(id, username, org, `2026-01-0${index + 1}T00:00:00.000Z`)
      matchSuccess(t, reply, 'Successfully created the user.', shown)
      expected.push(shown)
      await b.advance('P1D')
    }
    matchSuccess(t, await dbuser(b, 'GET'), 'Successfully listed the users.', expected)
  }
)

testActive('a username that is taken is a 400, and the user does not change', async (t, b) => {
  await dbuser(b, 'POST', { username: 'ada', password: 'x' })
  const before = (await dbuser(b, 'GET')).body.Result
  const reply = await dbuser(b, 'POST', { username: 'ada', password: 'y' })
  matchError(t, reply, 'notAllowed', { username: 'usernameTaken' }, { values: { name: 'ada' } })
  t.strictSame((await dbuser(b, 'GET')).body.Result, before)
  t.equal((await dbuser(b, 'POST', { username: 'Ada', password: 'y' })).status, 200, 'case counts')
  await dbuser(b, 'DELETE', { username: 'ada' })
  t.equal((await dbuser(b, 'POST', { username: 'ada', password: 'y' })).status, 200, 'it is free again')
})

testActive('operation 25 changes only the password and the time of the update', async (t, b) => {
  const org = await orgIdOf(b)
  const { id } = (await dbuser(b, 'POST', { username: 'ada', password: 'old' })).body.Result
  const other = (await dbuser(b, 'POST', { username: 'bob', password: 'old' })).body.Result
  const hash = (name: string) => hashOf(b.mock, b.key, b.workspace, name)
  const [ada, bob] = [hash('ada'), hash('bob')]
  await b.advance('PT1H')
  matchSuccess(t, await dbuser(b, 'PUT', { username: 'ada', password: 'new' }), 'Successfully updated the password.')
  matchSuccess(t, await dbuser(b, 'GET'), 'Successfully listed the users.', [
    user(id as string, 'ada', org, at(0), '2026-01-01T01:00:00.000Z'),
    other
  ])
  t.not(hash('ada'), ada)
  t.equal(hash('bob'), bob)
})

testActive('operation 26 needs only the username, and deletes that user', async (t, b) => {
  for (const username of ['ada', 'bob']) await dbuser(b, 'POST', { username, password: 'x' })
  matchSuccess(t, await dbuser(b, 'DELETE', { username: 'ada' }), 'Successfully deleted the user.')
  t.strictSame(pluck((await dbuser(b, 'GET')).body.Result, 'username'), ['bob'])
  const withPassword = await dbuser(b, 'DELETE', { username: 'bob', password: 'x' })
  matchSuccess(t, withPassword, 'Successfully deleted the user.')
  matchSuccess(t, await dbuser(b, 'GET'), 'Successfully listed the users.', [])
})

testActive('an unknown username is a 400 for operations 25 and 26', async (t, b) => {
  await dbuser(b, 'POST', { username: 'ada', password: 'x' })
  for (const method of ['PUT', 'DELETE'] as const) {
    const reply = await dbuser(b, method, { username: 'bob', password: 'x' })
    matchError(t, reply, 'notAllowed', { username: 'notUser' }, { values: { name: 'bob' } })
  }
})

testActive('users can be neither listed nor changed while the server of their workspace does not run', async (t, b) => {
  await dbuser(b, 'POST', { username: 'ada', password: 'x' })
  await b.call('PUT', b.path, { workspace_type_name: 'SVC-2' })
  t.equal((await dbuser(b, 'GET')).status, 200, 'it is Resizing')
  await b.advance('PT2S')
  await b.call('POST', `${b.path}/pause`)
  await b.advance('PT1S')
  const values = {
    id: b.workspace,
    state: 'Stopped',
    name: 'a call about its users',
    states: 'Active, Resizing, Restoring'
  }
  const body = { username: 'ada', password: 'y' }
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
    matchError(t, await dbuser(b, method, method === 'GET' ? undefined : body), 'notAllowed', 'state', { values })
  await b.call('POST', `${b.path}/resume`)
  await b.advance('PT2S')
  t.equal((await dbuser(b, 'GET')).body.Result.length, 1)
})

testActive('users belong to one workspace, and are deleted with it', async (t, b) => {
  const other = await b.addWorkspace()
  const second = { ...b, path: b.path.replace(b.workspace, other) }
  await dbuser(b, 'POST', { username: 'ada', password: 'x' })
  const same = await dbuser(second, 'POST', { username: 'ada', password: 'x' })
  t.equal(same.status, 200, 'the name is free elsewhere')
  await dbuser(second, 'DELETE', { username: 'ada' })
  t.equal((await dbuser(b, 'GET')).body.Result.length, 1)
  await b.call('DELETE', b.path)
  await b.advance('PT1S')
  t.equal((await dbuser(b, 'GET')).status, 404)
})

void t.test('no reply, no line of the log and no file of the database shows a password', async (t) => {
  const { lines, logger } = logLines('trace')
  const directory = t.testdir()
  const b = await openActiveWorkspace(await buildMock(t, { db: join(directory, 'users.db') }, logger))
  const [first, second] = ['first-S3cret', 'second-S3cret']
  const replies: string[] = []
  for (const [method, body, status] of [
    ['POST', { username: 'ada', password: first }, 200],
    ['POST', { username: 'ada', password: second }, 400],
    ['PUT', { username: 'ada', password: second }, 200],
    ['PUT', { username: 'bob', password: second }, 400],
    ['POST', { password: first }, 400],
    ['POST', { username: '', password: first }, 400],
    ['POST', [first], 400],
    ['POST', `{"username": "ada", "password": "${first}" x}`, 400],
    ['GET', undefined, 200],
    ['DELETE', { username: 'ada', password: first }, 200],
    ['POST', { username: 'ada', password: first }, 200]
  ] as const) {
    const reply = await dbuser(b, method, body)
    t.equal(reply.status, status, `${method} ${JSON.stringify(body)}`)
    replies.push(JSON.stringify(reply))
  }
  const stored = hashOf(b.mock, b.key, b.workspace, 'ada')
  const count = lines.filter(({ path }) => /dbuser$/.test(path as string)).length
  t.equal(count, replies.length, 'the log has a line for each')
  const shown = replies.join('\n') + JSON.stringify(lines)
  for (const text of [first, second, 'scrypt', stored, stored.split('$')[5]!]) t.notOk(shown.includes(text), text)
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name)))
  const isInFile = (text: string) => files.some((bytes) => bytes.includes(text))
  t.strictSame([stored, first, second].map(isInFile), [true, false, false], 'the search would find it')
})

void t.test('a password is stored as a salted scrypt hash', async (t) => {
  const hashes = await Promise.all(
    ['S3cret', 'S3cret', 'Ümläut 🚀'].map((password) => hashPassword(password, { isClosed: false }))
  )
  const check = (hash: string, password: string) => {
    const [, cost, blockSize, parallelization, salt, key] = hash.split('$')
    const options = { N: Number(cost), r: Number(blockSize), p: Number(parallelization) }
    return scryptSync(password, Buffer.from(salt!, 'base64url'), 32, options).equals(Buffer.from(key!, 'base64url'))
  }
  for (const hash of hashes) t.match(hash, /^scrypt\$16384\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  const areRight = [check(hashes[0]!, 'S3cret'), check(hashes[1]!, 'S3cret'), check(hashes[2]!, 'Ümläut 🚀')]
  t.strictSame(areRight, [true, true, true])
  t.equal(check(hashes[0]!, 's3cret'), false)
  t.not(hashes[0], hashes[1], 'equal passwords have different hashes')
  const b = await openActiveWorkspace(await buildMock(t))
  await dbuser(b, 'POST', { username: 'ada', password: 'one' })
  await dbuser(b, 'PUT', { username: 'ada', password: 'two' })
  const stored = hashOf(b.mock, b.key, b.workspace, 'ada')
  t.strictSame([check(stored, 'one'), check(stored, 'two')], [false, true])
})

const SESSION: Call = { key: null, headers: { authorization: 'Bearer session' }, prefix: '' }
const listOrg = async ({ call }: BuiltMock, as: Call = SESSION): Promise<Body[]> =>
  (await call('GET', '/users', as)).body as Body[]
const putRoles = ({ call }: BuiltMock, id: string, body: unknown, as: Call = SESSION) =>
  call('PUT', `/users/${id}/roles`, { ...as, body })
const rolesOf = (user: Body) => (user.roles as Body[]).map(({ name }) => name as string)

const DISPLAY = {
  'org-admin': 'Org admin',
  'billing-admin': 'Billing admin',
  'billing-viewer': 'Billing viewer',
  'workgroup-admin': 'Workgroup admin',
  'workspace-admin': 'Workspace admin',
  'workspace-member': 'Workspace member'
}

// ---------------------------------------------------------------------------------------------------------------------
// Org users

void t.test('operation 37 answers the users without an envelope: one org admin and two members', async (t) => {
  const { call } = await buildMock(t)
  const reply = await call('GET', '/users', SESSION)
  t.equal(reply.status, 200)
  t.match(reply.headers['x-request-id'], UUID)
  const { org_id: org } = (
    await call('POST', '/workgroups', { ...SESSION, prefix: '/controller/v4/v2', body: { cloud_provider_id: 'x' } })
  ).body.Result as { org_id: string }
  const users = reply.body as Body[]
  const role = (name: keyof typeof DISPLAY, id: string) => ({
    id,
    name,
    displayName: DISPLAY[name],
    path: '/',
    tenantID: org,
    srn: `srn:svc:iam:${org}:role/${id}`
  })
  const expected = [
    ['owner@svc.test', 'Olive', 'Owner', ['org-admin']],
    ['ada@svc.test', 'Ada', 'Admin', ['workgroup-admin', 'workspace-admin']],
    ['max@svc.test', 'Max', 'Member', ['workspace-member']]
  ] as const
  t.strictSame(
    users,
    expected.map(([email, firstName, lastName, roles], index) => {
      const { id, authID } = users[index]
      return {
        id,
        username: email,
        email,
        firstName,
        lastName,
        enabled: true,
        path: '/',
        tenantID: org,
        auth0UserID: authID,
        srn: `srn:svc:iam:${org}:user/${id}`,
        authID,
        roles: roles.map((name, place) => role(name, users[index].roles[place].id as string)),
        metadata: { attachedTo: [] },
        created: '2025-01-01T00:00:00Z',
        updated: '2025-01-01T00:00:00Z'
      }
    })
  )
  const ids = users.flatMap(({ id, authID, roles }): unknown[] => [
    id,
    authID,
    ...(roles as Body[]).map(({ id: roleId }): unknown => roleId)
  ]) as string[]
  for (const id of ids) t.type(id, 'string')
  t.equal(new Set(ids).size, ids.length, 'all ids differ')
  for (const { id } of users) t.match(id, UUID)
})

void t.test('operation 38 replaces the roles, keeps their order, and answers 204 without a body', async (t) => {
  const mock = await buildMock(t)
  await mock.call('PUT', '/_mock/clock', { ...SESSION, body: { mode: 'frozen', now: at(0) } })
  const [owner, ada, max] = (await listOrg(mock)) as [Body, Body, Body]
  const roles = Object.keys(DISPLAY).reverse() as (keyof typeof DISPLAY)[]
  const reply = await putRoles(mock, max.id as string, { roles })
  t.equal(reply.status, 204)
  t.equal(reply.body, '')
  t.equal(reply.headers['content-type'], undefined)
  t.match(reply.headers['x-request-id'], UUID)
  const after = await listOrg(mock)
  t.strictSame(after.slice(0, 2), [owner, ada], 'the others are as they were')
  t.strictSame(
    { ...after[2], roles: pluck(after[2].roles, 'name', 'displayName') },
    { ...max, roles: roles.map((name) => [name, DISPLAY[name]]), updated: seconds(at(0)) }
  )
})

void t.test('the last org admin stays one', async (t) => {
  const mock = await buildMock(t)
  const [owner, ada] = (await listOrg(mock)) as [Body, Body]
  const refused = async (id: string) => {
    matchError(t, await putRoles(mock, id, { roles: ['billing-admin'] }), 'notAllowed', { roles: 'lastAdmin' })
  }
  await refused(owner.id as string)
  const more = await putRoles(mock, owner.id as string, { roles: ['billing-admin', 'org-admin'] })
  t.equal(more.status, 204, 'but may have more roles')
  t.equal((await putRoles(mock, ada.id as string, { roles: ['org-admin'] })).status, 204)
  t.equal((await putRoles(mock, owner.id as string, { roles: ['billing-admin'] })).status, 204, 'there is another now')
  await refused(ada.id as string)
  t.strictSame((await listOrg(mock)).map(rolesOf), [['billing-admin'], ['org-admin'], ['workspace-member']])
})

void t.test('an org admin who is disabled does not count as one', async (t) => {
  const mock = await buildMock(t)
  const admin = (email: string, enabled: boolean) => ({ email, enabled, roles: ['org-admin'] })
  const body = { org_users: [admin('owner@svc.test', true), admin('gone@svc.test', false)] }
  t.equal((await mock.call('PUT', '/_mock/state', { ...SESSION, body })).status, 200)
  const users = await listOrg(mock)
  const owner = users.find(({ email }) => email === 'owner@svc.test')!
  t.equal((await putRoles(mock, owner.id as string, { roles: ['billing-admin'] })).status, 400)
  t.strictSame(pluck(users, 'enabled'), [true, false])
})

void t.test('an API key is a 403 in every mode of --auth; with a session as well, the session counts', async (t) => {
  for (const options of [{}, { auth: 'off' }, { auth: 'strict', apiKeys: ['me=key'] }] as const) {
    const mock = await buildMock(t, options)
    const as: Call = { key: 'key', prefix: '' }
    matchError(t, await mock.call('GET', '/users', as), 'forbidden', 'apiKey')
    matchError(t, await putRoles(mock, NONE, { roles: ['org-admin'] }, as), 'forbidden', 'apiKey')
    t.equal((await mock.call('GET', '/users', { ...as, headers: { authorization: 'Bearer key' } })).status, 200)
  }
})

void t.test('without a credential, operations 37 and 38 are a 401, except with --auth off', async (t) => {
  const nobody: Call = { key: null, prefix: '' }
  const strict = await buildMock(t)
  matchError(t, await strict.call('GET', '/users', nobody), 'unauthorized', 'required')
  const open = await buildMock(t, { auth: 'off' })
  const users = await listOrg(open, nobody)
  t.strictSame(pluck(users, 'email'), ['owner@svc.test', 'ada@svc.test', 'max@svc.test'])
  t.equal((await putRoles(open, users[1].id as string, { roles: ['billing-viewer'] }, nobody)).status, 204)
  t.strictSame((await listOrg(open, nobody)).map(rolesOf), [['org-admin'], ['billing-viewer'], ['workspace-member']])
})

void t.test('a closed server gives up its queued passwords', async (t) => {
  const server = { isClosed: false }
  const hashes = Array.from({ length: 100 }, (_, index) => hashPassword(`password ${index}`, server, server))
  server.isClosed = true
  const given = (await Promise.allSettled(hashes)).flatMap((result): unknown[] =>
    result.status === 'rejected' ? [result.reason] : []
  )
  t.ok(given.length >= 98, 'all but those under way')
  for (const error of given) t.match(error, { name: 'ServiceError', condition: 'unavailable' })
})

void t.test('a document with many passwords does not delay others', async (t) => {
  const server = { isClosed: false }
  let done = 0
  const many = Array.from({ length: 12 }, () => hashPassword('many', server, server).then(() => done++))
  await hashPassword('one', server)
  t.ok(done < 6, `${done} were before it`)
  await Promise.all(many)
})
