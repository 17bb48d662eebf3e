import { type ChildProcess, execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startMock } from '../../src/node/index.js'
import { type Body, CONTROLLER, until } from '../helper.js'

const KEY = 'key-of-an-account'

interface Foreign {
  /** With the base path. */
  readonly url: string
  /** Requests to it, except reads. */
  readonly changes: readonly string[]
  /** The names of the workgroups of the account. */
  readonly workgroups: () => Promise<string[]>
}

/** A service with only the interface: a mock behind a proxy. @param breaks requests that fail: `METHOD /path` */
async function startForeign(t: Test, breaks?: RegExp): Promise<Foreign> {
  const mock = await startMock({
    auth: 'strict',
    apiKeys: [`account=${KEY}`],
    basePath: '/api',
    transitions: 'instant'
  })
  t.teardown(() => mock.close())
  const changes: string[] = []
  const answer = async ({ method = '', url = '', headers }: IncomingMessage, body: Buffer): Promise<Response> => {
    if (method !== 'GET') changes.push(`${method} ${url}`)
    if (!url.startsWith('/api/')) return new Response(null, { status: 404 })
    if (breaks?.test(`${method} ${url}`) === true) return new Response(null, { status: 500 })
    const passed = ['x-api-key', 'authorization', 'content-type', 'x-request-id']
      .filter((name) => headers[name] !== undefined)
      .map((name): [string, string] => [name, String(headers[name])])
    return fetch(new URL(url, mock.url), { method, headers: passed, ...(body.length === 0 ? {} : { body }) })
  }
  const proxy = createServer((incoming, outgoing) => {
    void buffer(incoming)
      .then((body) => answer(incoming, body))
      .then(async (reply) => {
        const text = await reply.text()
        outgoing.writeHead(reply.status, Object.fromEntries(reply.headers)).end(text)
      })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    proxy.close()
    proxy.closeAllConnections()
  })

  const call = async (method: string, body?: unknown): Promise<Body> => {
    const response = await fetch(new URL(`/api${CONTROLLER}/workgroups`, mock.url), {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return response.json()
  }
  await call('POST', { name: 'of somebody', cloud_provider_id: 'theirs', platform: 'azure', region: 'eu-west-1' })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api`,
    changes,
    workgroups: async () => ((await call('GET')).Result as Body[]).map(({ name }) => name)
  }
}

interface Run {
  readonly code: number
  readonly output: string
}

/** Runs the contract test in a process of its own. @param started gets the process */
function runContract(env: Record<string, string>, started?: (child: ChildProcess) => void): Promise<Run> {
  const file = new URL('contract.test.ts', import.meta.url).pathname
  const args = ['--import=./test/transpile.mjs', file]
  const cwd = new URL('../..', import.meta.url).pathname
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd, env: { PATH: process.env['PATH'], TAP_TIMEOUT: '2', ...env }, maxBuffer: 1 << 26 },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: `${out}${err}` })
    )
    started?.(child)
  })
}

const credentials = { CONTRACT_KEY: KEY, CONTRACT_SESSION: KEY, CONTRACT_POLL_MS: '1' }

void t.test('the contract holds for a service without a control API, and nothing is left there', async (t) => {
  const { url, workgroups } = await startForeign(t)
  const { code, output } = await runContract({ ...credentials, CONTRACT_URL: url, CONTRACT_CREATE: '1' })
  t.equal(code, 0, 'it passes', code === 0 ? {} : { output: output.slice(-5000) })
  t.notMatch(output, /^ *not ok /m)
  for (const operationId of ['restoreBackup', 'getRestoreStatus', 'deleteBackup', 'updateOrgUserRoles'])
    t.match(output, new RegExp(`^ *ok \\d+ - ${operationId} succeeded # SKIP \\w`, 'm'), 'it was not seen')
  t.match(output, /^ *ok \d+ - updateOrgUserRoles failed # SKIP \w/m)
  t.match(output, /^ *ok \d+ - deleteWorkspace succeeded$/m, 'others were')
  t.match(output, /^ *ok \d+ - every state on the way.* # SKIP \w/m)
  t.match(output, /^ *ok \d+ - a workspace that is being deleted # SKIP \w/m)
  t.strictSame(await workgroups(), ['of somebody'])
})

void t.test('nothing is left if the service breaks the contract', async (t) => {
  const { url, changes, workgroups } = await startForeign(t, /^POST .*\/pause$/)
  const { code, output } = await runContract({ ...credentials, CONTRACT_URL: url, CONTRACT_CREATE: '1' })
  t.not(code, 0)
  t.match(output, /^ *not ok \d+ - pauseWorkspace 200/m)
  t.ok(changes.includes(`POST /api${CONTROLLER}/workgroups`), 'something was created')
  t.strictSame(await workgroups(), ['of somebody'])
})

void t.test('resources that cannot be removed are reported', async (t) => {
  const { url } = await startForeign(t, /^DELETE .*\/workgroups\/[\w-]+$/)
  const limits = { CONTRACT_WAIT_MS: '1', CONTRACT_CREATE: '1' }
  const { code, output } = await runContract({ ...credentials, ...limits, CONTRACT_URL: url })
  t.not(code, 0)
  t.match(output, /workgroup [\w-]+ is there, and its deletion was answered with 500/)
})

void t.test('nothing is left if the test is interrupted', async (t) => {
  const { url, changes, workgroups } = await startForeign(t)
  const { code } = await runContract({ ...credentials, CONTRACT_URL: url, CONTRACT_CREATE: '1' }, (child) => {
    // A process that has ended makes no more changes.
    const isTime = () => child.exitCode !== null || changes.some((change) => change.endsWith('/workspaces'))
    void until(isTime).then(() => child.kill('SIGINT'))
  })
  t.equal(code, 1)
  t.notOk(
    changes.some((change) => change.startsWith('PUT')),
    'it stopped'
  )
  t.strictSame(await workgroups(), ['of somebody'])
})

void t.test('nothing changes on such a service unless that is allowed, and there are credentials', async (t) => {
  const { url, changes } = await startForeign(t)
  const lacking: [string, Record<string, string>][] = [
    ['CONTRACT_CREATE', credentials],
    ['CONTRACT_KEY', { CONTRACT_CREATE: '1', CONTRACT_SESSION: KEY }],
    ['CONTRACT_SESSION', { CONTRACT_CREATE: '1', CONTRACT_KEY: KEY }]
  ]
  for (const [name, env] of lacking) {
    const { code, output } = await runContract({ ...env, CONTRACT_URL: url })
    t.not(code, 0)
    t.match(output, name, `it says that ${name} is missing`)
    t.strictSame(changes, [])
  }
})
