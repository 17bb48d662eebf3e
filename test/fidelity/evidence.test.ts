import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { conform } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { learnFromExchanges } from '../../src/fidelity/learn/learn.js'
import { readExchanges } from '../../src/fidelity/read.js'
import { startMock } from '../../src/node/index.js'
import { type Body, sendJson } from '../helper.js'
import { idsOf } from './asked-service.js'

// Replies of the real service, published by its users; see evidence/README.md.

const FILE = new URL('evidence/observed.har', import.meta.url)

const ENTRIES = JSON.parse(readFileSync(FILE, 'utf8')).log.entries as Body[]
const SEEN = ENTRIES.map(({ startedDateTime: at, request, response }): Body => ({
  at,
  method: request.method,
  path: new URL(request.url as string).pathname,
  body: request.postData?.text,
  status: response.status,
  reply: JSON.parse(response.content.text as string)
}))

/** The resources of the service at the first reply. */
function worldOf({ Result: seen }: Body): object {
  return {
    org: { id: seen.org_id, name: seen.org_name },
    workgroups: [
      {
        id: seen.workgroup_id,
        name: seen.workgroup_name,
        region: seen.region,
        cloud_provider_id: seen.cloud_provider_id,
        databases: [{ id: seen.database_id, name: seen.database_name }],
        workspaces: [
          {
            id: seen.workspace_id,
            name: seen.name,
            database: seen.database_id,
            status: seen.status,
            creator: seen.creator,
            created_at: '2026-06-03T06:59:27.151Z',
            enable_auto_start: seen.enable_auto_start,
            auto_stop_minutes: seen.auto_stop_minutes
          }
        ]
      }
    ]
  }
}

/** The paths of differing values in a reply. */
function differing(ours: unknown, theirs: unknown, path = ''): string[] {
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null)
    return ours === theirs ? [] : [path]
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...keys].flatMap((key) =>
    differing((ours as Body)[key], (theirs as Body)[key], path === '' ? key : `${path}.${key}`)
  )
}

/** Values that must differ: they depend on stored data or on the machine's clock, or are ids of requests. */
const BY_NATURE =
  /^(?:RequestID|Result\.(?:last_modified_time|created_at|folder_statistics\.(?:\w+_size|workspaces\.0\.size)))$/

/** Repeats the requests at their times. @returns the differing paths in each reply */
async function repeated(t: Test, profile: string): Promise<string[][]> {
  await using mock = await startMock({ transitions: 'realistic', profile })
  const box = mock.sandbox()
  await box.state.replace({ ...worldOf(SEEN[0].reply), clock: { mode: 'frozen', now: SEEN[0].at } })
  const found: string[][] = []
  for (const [index, { at, method, path, body, status, reply }] of SEEN.entries()) {
    await box.clock.freeze(at)
    const response = await sendJson(method, `${mock.url}${path}`, box.headers, body)
    const own = await response.json()
    t.strictSame(Object.keys(own as object), Object.keys(reply as object), `${index}: the envelope, in its order`)
    const others = differing(own, reply).filter((place) => !BY_NATURE.test(place))
    found.push(response.status === status ? others : ['status', ...others])
  }
  return found
}

void t.test('under the profile observed, every reply is as observed', async (t) => {
  const found = await repeated(t, 'observed')
  const differing = found.flatMap((places, index) => places.map((place) => `${index} ${place}`))
  t.strictSame(differing, ['13 Message'], 'except a text of the provider about its webhook')
})

/** Fields of a workspace that the built-in profile does not have. */
const UNDECLARED = `database_name err_message replicas cloud_provider_name cloud_provider_short_id
  maintenance_window_time_zone maintenance_window_day_of_week maintenance_window_hour_of_day
  desired_svc_version update_strategy auto_upgrade_state`.split(/\s+/)

void t.test('under the built-in profile, only refusals and undeclared fields differ', async (t) => {
  const undeclared = UNDECLARED.map((field) => `Result.${field}`)
  const found = await repeated(t, 'conventional')
  const others = found.flatMap((places, index) => (places.every((place) => undeclared.includes(place)) ? [] : [index]))
  t.strictSame(others, [13, 34], 'a resume during a pause, and an unknown workspace')
})

void t.test('a comparison contradicts only the refusals, and nothing under observed', async (t) => {
  const exchanges = await readExchanges([FILE.pathname])
  for (const [profile, expected] of [
    ['conventional', ['P-054', 'P-116']],
    ['observed', []]
  ] as const) {
    const conformance = await conform(exchanges, { profile })
    t.strictSame(idsOf(conformance, 'contradicted'), expected, profile)
    t.ok(idsOf(conformance, 'confirmed').length >= 15, 'many are confirmed')
    t.equal(conformance.counts.compared, SEEN.length)
  }
})

void t.test(
  'a difference in the envelope contradicts the assumption about successes, or that about errors',
  async (t) => {
    const exchanges = await readExchanges([FILE.pathname])
    const isPause = ({ path }: Exchange) => path.endsWith('/pause')
    const isError = ({ status }: Exchange) => status === 500
    for (const [isOther, fields, expected] of [
      [isPause, { Result: 'done' }, 'P-075'],
      [isPause, { ErrorDetails: [] }, 'P-075'],
      [isError, { Result: {} }, 'P-075']
    ] as const) {
      const others = exchanges.map((exchange) =>
        isOther(exchange) ? { ...exchange, body: { ...(exchange.body as object), ...fields } } : exchange
      )
      const contradicted = idsOf(await conform(others, { profile: 'observed' }), 'contradicted')
      t.strictSame(contradicted, [expected], JSON.stringify(fields))
    }
  }
)

void t.test('a comparison that begins anywhere in the replies contradicts nothing else', async (t) => {
  const exchanges = await readExchanges([FILE.pathname])
  for (const first of [1, 6, 11, 24]) {
    const conformance = await conform(exchanges.slice(first), { profile: 'observed' })
    t.strictSame(idsOf(conformance, 'contradicted'), [], `from exchange ${first + 1}`)
  }
})

void t.test('what differs from the built-in profile is learned, or asks for a decision', async (t) => {
  const exchanges = await readExchanges([FILE.pathname])
  const { profile, notes } = await learnFromExchanges(exchanges)
  const refusal = { status: 500, type: 'Internal-Error' }
  t.strictSame(profile.errors, {
    notAllowed: { operations: { resumeWorkspace: refusal } },
    notFound: { operations: { getWorkspace: refusal } }
  })
  const unclear = notes.filter(({ isUnclear }) => isUnclear).map(({ text }) => text.split(' ')[0]!)
  t.strictSame(unclear.sort(), [...UNDECLARED].sort(), 'one workspace proves no field')
  t.strictSame(idsOf(await conform(exchanges, { profile }), 'contradicted'), [])
})
