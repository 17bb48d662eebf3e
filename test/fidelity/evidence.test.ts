import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { conform } from '../../src/fidelity/conform.js'
import { readExchanges } from '../../src/fidelity/read.js'
import { startMock } from '../../src/node/index.js'
import type { Body } from '../helper.js'

// Replies of the real service, published by its users; see evidence/README.md. Whoever contradicts them fails here.

const FILE = new URL('evidence/observed.har', import.meta.url)

interface Seen {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly status: number
  readonly reply: Body
}

const ENTRIES = JSON.parse(readFileSync(FILE, 'utf8')).log.entries as Body[]
const SEEN = ENTRIES.map(({ startedDateTime: at, request, response }): Seen => ({
  at,
  method: request.method,
  path: new URL(request.url as string).pathname,
  body: request.postData?.text,
  status: response.status,
  reply: JSON.parse(response.content.text as string)
}))

/** What the service held when the first reply was seen. */
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

/** The places of a reply that differ, as dotted paths. */
function differing(ours: unknown, theirs: unknown, path = ''): string[] {
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null)
    return ours === theirs ? [] : [path]
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...keys].flatMap((key) =>
    differing((ours as Body)[key], (theirs as Body)[key], path === '' ? key : `${path}.${key}`)
  )
}

/** Differs by nature: what depends on stored data, on the clock of the machine, and ids of requests. */
const BY_NATURE =
  /^(?:RequestID|Result\.(?:last_modified_time|created_at|folder_statistics\.(?:\w+_size|workspaces\.0\.size)))$/

/** Sends what was sent, when it was sent, and collects the places that differ. */
async function relive(t: Test, profile: string): Promise<Map<number, readonly string[]>> {
  await using mock = await startMock({ transitions: 'realistic', profile })
  const box = mock.sandbox()
  await box.state.replace({ ...worldOf(SEEN[0]!.reply), clock: { mode: 'frozen', now: SEEN[0]!.at } })
  const found = new Map<number, readonly string[]>()
  for (const [index, { at, method, path, body, status, reply }] of SEEN.entries()) {
    await box.clock.freeze(at)
    const response = await fetch(`${mock.url}${path}`, {
      method,
      headers: { ...box.headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body })
    })
    const own = await response.json()
    t.strictSame(Object.keys(own as object), Object.keys(reply as object), `${index}: the envelope, in its order`)
    const others = differing(own, reply).filter((place) => !BY_NATURE.test(place))
    found.set(index, response.status === status ? others : ['status', ...others])
  }
  return found
}

const differences = (found: ReadonlyMap<number, readonly string[]>) => [...found].filter(([, places]) => places.length)

/** The refusals that were seen: a resume while it pauses, and an unknown workspace. */
const REFUSALS = [13, 34]

void t.test('under the profile observed, every reply is as it was seen', async (t) => {
  const found = await relive(t, 'observed')
  t.strictSame(
    differences(found).filter(([index]) => !REFUSALS.includes(index)),
    []
  )
  t.strictSame(
    REFUSALS.map((index) => found.get(index)),
    [['Message'], []],
    'but for what the provider of the service says of its webhook'
  )
})

void t.test('as built in, only the refusals and undeclared fields are other', async (t) => {
  const undeclared = [
    'database_name',
    'err_message',
    'replicas',
    'cloud_provider_name',
    'cloud_provider_short_id',
    'maintenance_window_time_zone',
    'maintenance_window_day_of_week',
    'maintenance_window_hour_of_day',
    'desired_svc_version',
    'update_strategy',
    'auto_upgrade_state'
  ].map((field) => `Result.${field}`)
  const others = [...(await relive(t, 'conventional'))].map(([index, places]): [number, readonly string[]] => [
    index,
    places.filter((place) => !undeclared.includes(place))
  ])
  t.strictSame(
    differences(new Map(others)).map(([index]) => index),
    REFUSALS
  )
})

void t.test('a comparison with what was seen contradicts the refusals only, and under observed nothing', async (t) => {
  const exchanges = await readExchanges([FILE.pathname])
  for (const [profile, expected] of [
    ['conventional', ['P-054', 'P-116']],
    ['observed', []]
  ] as const) {
    const { ledger, counts } = await conform(exchanges, { profile })
    const ids = (verdict: string) => ledger.filter((entry) => entry.verdict === verdict).map(({ id }) => id)
    t.strictSame(ids('contradicted'), expected, profile)
    t.ok(ids('confirmed').length >= 15, `${ids('confirmed').length} are confirmed`)
    t.equal(counts.compared, SEEN.length)
  }
})
