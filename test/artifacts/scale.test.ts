import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { type Body, CONTROLLER, runCommand, runProgram } from '../helper.js'
import { plainEnvironment } from '../programs.js'
import { temporaryFolder } from '../temporary.js'
import { asUser, freePort, lacking, ROOT } from './tools.js'

// docker/nginx.conf with other names, ports and folders: three instances and nginx on this machine.

const INSTANCES = ['instance-1', 'instance-2', 'instance-3']
const BOTH = 'both-session'

const skip = lacking({ nginx: 'nginx-light', setpriv: 'util-linux' })

type Headers = Record<string, string>

/** The credentials of 60 sandboxes; the server must use the first one. */
const CREDENTIALS: readonly (readonly [secret: string, headers: Headers])[] = [
  ...Array.from({ length: 28 }, (_, index) => [`key-${index}`, { 'x-api-key': `key-${index}` }] as const),
  ...Array.from({ length: 28 }, (_, index) => [`token-${index}`, { authorization: `Bearer token-${index}` }] as const),
  [BOTH, { authorization: `Bearer ${BOTH}`, 'x-api-key': 'not-this' }],
  ['basic-key', { authorization: 'Basic dTpw', 'x-api-key': 'basic-key' }],
  ['lower-case', { authorization: 'bearer   lower-case' }],
  ['with spaces "and" $quotes', { authorization: 'Bearer with spaces "and" $quotes' }]
]

type Instance = ReturnType<typeof startInstance>

function startInstance(t: Test, name: string, port: number, db: string) {
  // As in docker/compose.scale.yaml, but with another address of nginx.
  const options = ['--trust-proxy', '127.0.0.1', '--control', 'open', '--allowed-host', 'svc-mock']
  const command = runCommand(t, ['serve', '--port', `${port}`, '--db', db, ...options, '--transitions', 'instant'])
  return { name, db, command }
}

const listening = async ({ command }: Instance) => {
  await command.seen(/"msg":"listening on /)
}

/** The ids of the sandboxes in the database of a stopped instance. */
function storedIn(db: string): string[] {
  const sqlite = new Sqlite(db, { readonly: true })
  try {
    return (sqlite.prepare('SELECT id FROM sandboxes').all() as { id: string }[]).map(({ id }) => id)
  } finally {
    sqlite.close()
  }
}

/** The sandboxes in the log of an instance, by the first digits of their ids. */
const loggedBy = ({ command }: Instance) =>
  new Set([...command.output().matchAll(/"sandbox":"([0-9a-f]{12})"/g)].map(([, id]) => id!))

async function startNginx(t: Test, ports: readonly number[]): Promise<string> {
  const folder = temporaryFolder(t)
  // As in docker/compose.scale.yaml, another user writes temporary files there.
  chmodSync(folder, 0o777)
  const listen = await freePort(t)
  let config = readFileSync(join(ROOT, 'docker/nginx.conf'), 'utf8')
  const replace = (from: string, to: string) => {
    if (!config.includes(from)) throw new Error(`docker/nginx.conf has no ${from}`)
    config = config.replaceAll(from, to)
  }
  for (const [index, name] of INSTANCES.entries()) replace(`${name}:4700`, `127.0.0.1:${ports[index]}`)
  replace('listen 4700;', `listen 127.0.0.1:${listen};`)
  replace('/tmp/', `${folder}/`)
  writeFileSync(join(folder, 'nginx.conf'), config)
  const nginx = ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']
  const env = { ...plainEnvironment(), PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` }
  // Not SIGKILL, which would leave its workers behind.
  const { child, errors } = runProgram(t, ['setpriv', ...asUser('101'), ...nginx], env, 'SIGTERM')
  const url = `http://127.0.0.1:${listen}`
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries === 200) throw new Error(`nginx does not run: ${errors()}`)
    if (
      await fetch(`${url}/_mock/ready`).then(
        ({ ok }) => ok,
        () => false
      )
    )
      return url
    await sleep(50)
  }
}

void t.test('three instances behind nginx', { skip, timeout: 120_000 }, async (whole) => {
  const folder = whole.testdir()
  const ports = await Promise.all(INSTANCES.map(() => freePort(whole)))
  const instances = INSTANCES.map((name, index) =>
    startInstance(whole, name, ports[index]!, join(folder, `${name}.db`))
  )
  await Promise.all(instances.map(listening))
  const url = await startNginx(whole, ports)

  const call = async (headers: Headers, method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true
    const answer: Body = await (isJson ? reply.json() : reply.text())
    return { status: reply.status, body: answer }
  }
  const workgroups = `${CONTROLLER}/workgroups`
  const namesIn = async (headers: Headers) =>
    ((await call(headers, 'GET', workgroups)).body.Result as { name: string }[]).map(({ name }) => name)
  const homeOf = (secret: string) =>
    instances.findIndex((instance) => loggedBy(instance).has(sandboxIdOf(secret).slice(0, 12)))

  await whole.test('bring each of 60 sandboxes to one instance, by key or by token', async (t) => {
    t.equal(CREDENTIALS.length, 60)
    for (const round of ['first', 'second', 'third']) {
      // All at once, over many connections.
      const replies = await Promise.all(
        CREDENTIALS.map(([, headers]) => call(headers, 'POST', workgroups, { cloud_provider_id: 'x', name: round }))
      )
      t.strictSame(new Set(replies.map(({ status }) => status)), new Set([200]), `${round} round`)
    }
    const expected = ['first', 'second', 'third']
    for (const [secret, headers] of CREDENTIALS) t.strictSame((await namesIn(headers)).sort(), expected, secret)

    const seen = instances.map(loggedBy)
    for (const [secret] of CREDENTIALS) {
      const id = sandboxIdOf(secret).slice(0, 12)
      t.equal(seen.filter((ids) => ids.has(id)).length, 1, `one instance has logged requests of ${secret}`)
    }
    t.equal(new Set(seen.flatMap((ids) => [...ids])).size, CREDENTIALS.length, 'and there are no other sandboxes')
    t.comment(`sandboxes by instance: ${seen.map(({ size }) => size).join(', ')}`)
    for (const { size } of seen) t.ok(size >= 5, 'each instance has its share')
  })

  await whole.test('control a sandbox where it is', async (t) => {
    for (const [secret, headers] of CREDENTIALS) {
      t.equal(
        (await call(headers, 'PUT', '/_mock/clock', { mode: 'frozen', now: '2030-01-01T00:00:00.000Z' })).status,
        200
      )
      const [{ workgroup_id }] = (await call(headers, 'GET', workgroups)).body.Result
      const { body } = await call(headers, 'POST', `${workgroups}/${workgroup_id}/workspaces`, {})
      t.equal(body.Result.created_at, '2030-01-01 00:00:00 +0000 UTC', secret)
    }
  })

  await whole.test('know the address of the client, and believe nobody but nginx about it', async (t) => {
    const headers = { 'x-api-key': 'key-0' }
    const [{ workgroup_id }] = (await call(headers, 'GET', workgroups)).body.Result
    const currentIp = (extra: Headers) =>
      new Promise<string>((resolve, reject) => {
        // Not the address of nginx, which is trusted.
        get(
          `${url}${workgroups}/${workgroup_id}/allow_list/current`,
          { localAddress: '127.0.0.5', headers: { ...headers, ...extra } },
          (reply) => {
            text(reply).then((body) => resolve(JSON.parse(body).Result.CurrentIP), reject)
          }
        ).on('error', reject)
      })
    t.equal(await currentIp({}), '127.0.0.5')
    t.equal(await currentIp({ 'x-forwarded-for': '203.0.113.9' }), '127.0.0.5')
  })

  await whole.test('answer errors of the server as they are', async (t) => {
    const unknown = await call({ 'x-api-key': 'key-0' }, 'GET', `${workgroups}/${'x'.repeat(9000)}`)
    t.match(unknown, { status: 404, body: { Error: true } }, 'a long path')
    const large = await call({ 'x-api-key': 'key-0' }, 'POST', workgroups, { name: 'n'.repeat(2_000_000) })
    // The server refuses a large body without reading it, and closes; nginx may only notice that it cannot send.
    t.ok([413, 502].includes(large.status), `a large body: ${large.status}`)
    t.match(await call({}, 'GET', workgroups), { status: 401, body: { Error: true } }, 'no credential')
  })

  await whole.test('lose nothing when one is killed, and let nobody else answer for it', async (t) => {
    const victim = homeOf('key-0')
    const mine = CREDENTIALS.filter(([secret]) => homeOf(secret) === victim)
    const others = CREDENTIALS.filter(([secret]) => homeOf(secret) !== victim)
    const killed = instances[victim]!
    killed.command.child.kill('SIGKILL')
    await killed.command.exited

    // More requests than nginx needs to consider it dead.
    for (const [, headers] of [...mine, ...mine])
      t.equal((await call(headers, 'GET', workgroups)).status, 502, 'its sandboxes are away')
    for (const [secret, headers] of others) t.equal((await namesIn(headers)).length, 3, `${secret} does not notice`)

    instances[victim] = startInstance(whole, killed.name, ports[victim]!, killed.db)
    await listening(instances[victim])
    for (const [secret, headers] of mine)
      t.strictSame((await namesIn(headers)).sort(), ['first', 'second', 'third'], secret)
  })

  await whole.test('have each sandbox in one database only', async (t) => {
    for (const { command } of instances) {
      command.child.kill('SIGTERM')
      t.strictSame(await command.exited, { code: 0, signal: null })
    }
    const stored = instances.flatMap(({ db }) => storedIn(db))
    t.strictSame([...stored].sort(), CREDENTIALS.map(([secret]) => sandboxIdOf(secret)).sort())
  })
})
