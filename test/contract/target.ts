import { randomUUID } from 'node:crypto'
import { startMock } from '../../src/node/index.js'
import { type Body, CONTROLLER } from '../helper.js'
import { OwnResources } from './own-resources.js'

export type Credential = 'key' | 'session' | 'none'

/** Values that the service supports. */
interface Catalogue {
  /** Where workgroups can be created: fields of the request. */
  readonly places: readonly [Body, Body]
  /** The initial type of a workspace, the one set by a schedule, and the one after a change. */
  readonly types: readonly [string, string, string]
  readonly version: string
  /** Whether it takes add-ons and solutions with invented ids. */
  readonly takesAnyAddon: boolean
}

/** The server under test. */
export interface Target {
  /** The OpenAPI document that it must fulfil, and the base path of its operations. */
  readonly document: Body
  readonly documentBase: string
  /** Prefix of the names of the run's workgroups. */
  readonly prefix: string
  readonly catalogue: Catalogue
  /** Whether it has the control API. Otherwise, it counts as a real service. */
  readonly hasControl: boolean
  /** Operations that cannot be seen to succeed, with reasons. */
  readonly unseen: ReadonlyMap<string, string>
  /** Operations that are not called at all; each is also unseen. */
  readonly uncalled: ReadonlySet<string>
  /** Sends a request to a path below the base path. */
  readonly send: (
    method: string,
    path: string,
    credential: Credential,
    headers?: Record<string, string>,
    body?: string
  ) => Promise<Response>
  /** Must be called with the reply to each operation that succeeds. */
  readonly note: OwnResources['note']
  /** Calls the control API. @returns `Result` */
  readonly control: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>
  /** Waits until nothing is in a transient state. */
  readonly settle: () => Promise<unknown>
  /** Sends no more requests, and removes everything that the run created on a real service. */
  readonly close: () => Promise<void>
}

const BUILT_IN: Catalogue = {
  places: [
    { cloud_provider_id: 'account', platform: 'gcp', region: 'eu-west-1' },
    { cloud_provider_id: 'account', platform: 'aws', region: 'us-east-1' }
  ],
  types: ['SVC-0', 'SVC-1', 'SVC-2'],
  version: '4.2.0',
  takesAnyAddon: true
}

const NO_BACKUP = 'without the control API, there is no backup on demand'
const UNSEEN = new Map([
  ['restoreBackup', NO_BACKUP],
  ['getRestoreStatus', NO_BACKUP],
  ['deleteBackup', NO_BACKUP],
  ['updateOrgUserRoles', 'it would change a user of the account']
])

const JSON_TYPE = { 'content-type': 'application/json' }

/** Opens the server at CONTRACT_URL, or starts one. @throws if it is a real service, and CONTRACT_CREATE is not set */
export async function openTarget(env: Readonly<Record<string, string | undefined>>): Promise<Target> {
  const mock = env['CONTRACT_URL'] === undefined ? await startMock() : undefined
  const { origin, pathname } = new URL(env['CONTRACT_URL'] ?? mock!.url)
  // The same text names the same sandbox, as an API key and as a session. A new sandbox is empty.
  const key = env['CONTRACT_KEY'] ?? `contract-${randomUUID()}`
  const session = env['CONTRACT_SESSION'] ?? key
  const credentials: Record<Credential, Record<string, string>> = {
    key: { 'x-api-key': key },
    session: { authorization: `Bearer ${session}` },
    none: {}
  }

  const callControl = (method: string, path: string, body?: unknown) =>
    fetch(`${origin}/_mock${path}`, {
      method,
      redirect: 'manual',
      headers: { ...JSON_TYPE, ...credentials.key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const control: Target['control'] = async (method, path, body) => {
    const response = await callControl(method, path, body)
    const reply: Body = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${reply.Message}`)
    return reply.Result
  }
  const hasControl = (await jsonOf(await callControl('GET', '/clock')))?.Result?.mode !== undefined
  if (!hasControl) assertMayCreate(env)

  const own = await jsonOf(await fetch(`${origin}/openapi.json`))
  const document = baseOf(own) === undefined ? await builtInDocument() : own
  const documentBase = baseOf(document)!
  const base = pathname === '/' && document === own ? documentBase : pathname.replace(/\/$/, '')
  const send: Target['send'] = (method, path, credential, headers = {}, body) =>
    fetch(`${origin}${base}${path}`, {
      method,
      // A redirect would take the credential along.
      redirect: 'manual',
      headers: { ...JSON_TYPE, ...credentials[credential], ...headers },
      ...(body === undefined ? {} : { body })
    })

  const prefix = `contract-${randomUUID().slice(0, 8)}-`
  const common = { document, documentBase, prefix, hasControl, send, control }
  if (hasControl) {
    return {
      ...common,
      catalogue: BUILT_IN,
      unseen: new Map(),
      uncalled: new Set(),
      note: () => undefined,
      settle: () => control('POST', '/clock/advance', { until: 'idle' }),
      close: async () => mock?.close()
    }
  }
  const resources = new OwnResources((method, path) => send(method, path, 'key'), prefix, {
    everyMs: Number(env['CONTRACT_POLL_MS'] ?? 5000),
    withinMs: Number(env['CONTRACT_WAIT_MS'] ?? 30 * 60_000)
  })
  let isClosed = false
  return {
    ...common,
    send: async (...call) => {
      if (isClosed) throw new Error('the test has ended')
      return send(...call)
    },
    catalogue: await readCatalogue(send, env['CONTRACT_CLOUD_PROVIDER']),
    unseen: UNSEEN,
    uncalled: new Set(['updateOrgUserRoles']),
    note: (...call) => resources.note(...call),
    settle: () => resources.settle(),
    close: () => {
      isClosed = true
      return resources.remove()
    }
  }
}

function assertMayCreate(env: Readonly<Record<string, string | undefined>>): void {
  const service = `${env['CONTRACT_URL']} has no control API for this key, so it is taken for a real service`
  if (env['CONTRACT_CREATE'] !== '1')
    throw new Error(
      `${service}: the test creates workgroups and workspaces there, which may cost money, and removes them at its ` +
        'end. CONTRACT_CREATE=1 allows that.'
    )
  for (const name of ['CONTRACT_KEY', 'CONTRACT_SESSION'])
    if (env[name] === undefined) throw new Error(`${service}: it needs ${name}.`)
}

/** The values of a real service: those of an existing workgroup match each other, and the metadata has the rest. */
async function readCatalogue(send: Target['send'], account: string | undefined): Promise<Catalogue> {
  const read = async (path: string): Promise<Body> => {
    const response = await send('GET', `${CONTROLLER}${path}`, 'key')
    const body = await jsonOf(response)
    if (body?.Result === undefined) throw new Error(`GET ${path}: ${response.status} without a Result`)
    return body.Result
  }
  const { regions, workspaceTypes, svcVersions } = await read('/workspaces/meta')
  const [model] = (await read('/workgroups')) ?? []
  const place = {
    cloud_provider_id: account ?? model?.cloud_provider_id ?? 'account',
    // The metadata names no platforms.
    ...(model === undefined ? {} : { platform: model.platform }),
    region: model?.region ?? regions[0].name
  }
  const type = (index: number): string => (workspaceTypes[index] ?? workspaceTypes[0]).typeName
  return {
    places: [place, place],
    types: [type(0), type(1), type(2)],
    version: svcVersions[0].name,
    takesAnyAddon: false
  }
}

/** @returns undefined if the reply is an error or not JSON */
async function jsonOf(response: Response): Promise<Body> {
  const text = await response.text()
  try {
    return response.ok ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** The base path of the operations in a document, if it has them. */
function baseOf(document: Body): string | undefined {
  const suffix = `${CONTROLLER}/workgroups`
  return Object.keys((document?.paths ?? {}) as object)
    .find((path) => path.endsWith(suffix))
    ?.slice(0, -suffix.length)
}

async function builtInDocument(): Promise<Body> {
  const mock = await startMock()
  try {
    return await jsonOf(await fetch(new URL('/openapi.json', mock.url)))
  } finally {
    await mock.close()
  }
}
