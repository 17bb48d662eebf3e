// The calls that bench/blocking.js makes, with their preparations. Each of them touches a lot at once.
import { writeFileSync } from 'node:fs'

const WORKGROUPS = '/controller/v4/v2/workgroups'
const STATE = '/_mock/state'
const KEY = 'busy'
const PER_WORKGROUP = 1000
const SECONDS_OF_READS = 5

/** A document with a number of workspaces. @param make makes each one */
function workspaces(count, make = () => ({})) {
  const groups = Array.from({ length: Math.ceil(count / PER_WORKGROUP) }, (_, group) => ({
    workspaces: Array.from({ length: Math.min(PER_WORKGROUP, count - group * PER_WORKGROUP) }, make)
  }))
  return { workgroups: groups }
}

const frozen = (document) => ({ clock: { mode: 'frozen', now: '2026-01-01T00:00:00Z' }, ...document })
const everyMinute = {
  backup_schedule: { schedule: '* * * * *', max_backup_files: 1_000_000, max_reserved_days: 1_000_000 }
}
const fewEveryMinute = { backup_schedule: { schedule: '* * * * *', max_backup_files: 3 } }

/** A document of 1 MiB with an array of empty, and so invalid, objects. */
const wrong = (before, after) =>
  `${before}${'{},'.repeat(Math.floor((1_048_500 - before.length - after.length) / 3))}{}${after}`

function timeline(count) {
  const at = '2026-01-01T00:00:00.000Z'
  const row = { at, transition: 'workspace.create', attribute: 'status', from: 'Creating', to: 'Active', reason: null }
  return Array.from({ length: count }, (_, index) => ({ ...row, resource_id: `w-${index % 2}` }))
}

const fill = (document) => (mock, size) => mock.prepare('PUT', STATE, KEY, document(size))
const get = (path) => (mock) => mock.call('GET', path, KEY)
const post = (path, body) => (mock) => mock.call('POST', path, KEY, body)
const many = fill((size) => workspaces(size))

async function saved(mock, document) {
  await mock.prepare('PUT', STATE, KEY, document)
  await mock.prepare('PUT', '/_mock/snapshots/one', KEY)
}

/** Reads repeatedly for some seconds, but at least once. */
async function readOnAndOn(mock) {
  const end = performance.now() + SECONDS_OF_READS * 1000
  do await mock.call('GET', WORKGROUPS, KEY)
  while (performance.now() < end)
}

/**
 * Each is measured once, or for each size with `sizes: true`. `prepare` runs first, then `act` is measured. `args` are
 * options of the server, and `kinds` the requests of the probe.
 */
export const CALLS = [
  {
    name: 'nothing',
    what: 'nothing, for comparison',
    act: () =>
      new Promise((resolve) => {
        setTimeout(resolve, 2000)
      })
  },
  { name: 'list', what: '`GET /workgroups`', sizes: true, prepare: many, act: get(WORKGROUPS) },
  { name: 'overview', what: '`GET /_mock/overview`', sizes: true, prepare: many, act: get('/_mock/overview') },
  { name: 'state', what: '`GET /_mock/state`', sizes: true, prepare: many, act: get(STATE) },
  { name: 'report', what: '`GET /_mock/report`', sizes: true, prepare: many, act: get('/_mock/report') },
  {
    name: 'timeline',
    what: '`GET /_mock/timeline` of one resource with `limit=10`, which has half of 5 rows for each workspace',
    sizes: true,
    prepare: fill((size) => ({ timeline: timeline(size * 5) })),
    act: get('/_mock/timeline?workspace_id=w-1&limit=10')
  },
  {
    name: 'heavy-reads',
    what: 'lists, overviews, exports and reports, 200 at once',
    sizes: true,
    prepare: many,
    act: (mock) =>
      Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          get([WORKGROUPS, '/_mock/overview', STATE, '/_mock/report'][index % 4])(mock)
        )
      )
  },
  {
    name: 'import',
    what: '`PUT /_mock/state`',
    sizes: true,
    act: (mock, size) => mock.call('PUT', STATE, KEY, workspaces(size))
  },
  {
    name: 'import-with-ids',
    what: '`PUT /_mock/state` of what an export gave',
    sizes: true,
    prepare: async (mock, size) => ({
      text: await mock.prepare('PUT', STATE, KEY, workspaces(size)).then(() => mock.prepare('GET', STATE, KEY))
    }),
    act: (mock, size, { text }) => mock.call('PUT', STATE, KEY, JSON.parse(text).Result)
  },
  {
    name: 'save',
    what: '`PUT /_mock/snapshots/…`',
    sizes: true,
    prepare: many,
    act: (mock) => mock.call('PUT', '/_mock/snapshots/one', KEY)
  },
  {
    name: 'restore',
    what: 'restore of a snapshot',
    sizes: true,
    prepare: (mock, size) => saved(mock, workspaces(size)),
    act: post('/_mock/snapshots/one/restore')
  },
  {
    name: 'restore-timeline',
    what: 'restore of a snapshot with 5 rows of timeline for each workspace',
    sizes: true,
    prepare: (mock, size) => saved(mock, { ...workspaces(size), timeline: timeline(size * 5) }),
    act: post('/_mock/snapshots/one/restore')
  },
  {
    name: 'fork',
    what: 'fork of a snapshot',
    sizes: true,
    prepare: (mock, size) => saved(mock, workspaces(size)),
    act: post('/_mock/sandboxes', { from: 'one' })
  },
  {
    name: 'reset',
    what: 'reset to a seed',
    sizes: true,
    prepare: (mock, size) => mock.prepare('PUT', '/_mock/seed', KEY, workspaces(size)),
    act: post('/_mock/reset')
  },
  {
    name: 'remove',
    what: 'removal of a sandbox',
    sizes: true,
    prepare: many,
    act: (mock) => mock.call('DELETE', '/_mock/sandboxes', KEY)
  },
  {
    name: 'seed-file',
    what: 'the first request of a new key, with a `--seed-file`',
    sizes: true,
    args: (size, directory) => {
      writeFileSync(`${directory}/seed.json`, JSON.stringify(workspaces(size)))
      return ['--seed-file', `${directory}/seed.json`]
    },
    act: get('/_mock/clock')
  },
  {
    name: 'passwords',
    what: 'a seed with 1,000 passwords',
    kinds: ['read', 'create', 'user'],
    act: (mock) =>
      mock.call(
        'PUT',
        '/_mock/seed',
        KEY,
        workspaces(1, () => ({
          users: Array.from({ length: 1000 }, (_, index) => ({
            username: `user-${index}`,
            password: `secret-${index}`
          }))
        }))
      )
  },
  {
    name: 'cron',
    what: 'a document with 2,000 cron lines that never fire',
    act: (mock) =>
      mock.call(
        'PUT',
        STATE,
        KEY,
        workspaces(2000, () => ({ backup_schedule: { schedule: '0 0 31 2,4,6,9,11 *' } }))
      )
  },
  {
    name: 'events',
    what: 'advance over 50,000 events',
    prepare: fill(() => frozen(workspaces(35, () => fewEveryMinute))),
    act: post('/_mock/clock/advance', { by: 'P1D' })
  },
  {
    name: 'days',
    what: 'advance by P1D five times, a backup each minute, all of them kept',
    prepare: fill(() => frozen(workspaces(1, () => everyMinute))),
    act: async (mock) => {
      for (let day = 1; day <= 5; day++) await post('/_mock/clock/advance', { by: 'P1D' })(mock)
    }
  },
  {
    name: 'idle',
    what: 'advance until idle, 5,000 workspaces `Creating`',
    prepare: fill(() => frozen(workspaces(5000, () => ({ status: 'Creating' })))),
    act: post('/_mock/clock/advance', { until: 'idle' })
  },
  {
    name: 'rate',
    what: 'reads for 5 s, the clock at rate 1,000,000, 30 workspaces with a backup each minute',
    prepare: fill(() => ({ clock: { mode: 'real', rate: 1_000_000 }, ...workspaces(30, () => fewEveryMinute) })),
    act: readOnAndOn
  },
  {
    name: 'years',
    what: 'reads for 5 s, 30 years to catch up with, a backup each minute',
    prepare: fill(() => ({
      workgroups: [{ workspaces: [{ id: 'w', ...fewEveryMinute }] }],
      events: [{ event: 'backup.schedule', workspace_id: 'w', due: '1996-01-01T00:00:00Z' }]
    })),
    act: readOnAndOn
  },
  {
    name: 'wrong-body',
    what: 'a body of 1 MiB with 350,000 add-ons that are none',
    act: (mock) => mock.call('POST', `${WORKGROUPS}/none/workspaces`, KEY, wrong('{"addons":[', ']}'))
  },
  {
    name: 'wrong-document',
    what: 'a document of 1 MiB with 350,000 rows of timeline that are none',
    act: (mock) => mock.call('PUT', STATE, KEY, wrong('{"timeline":[', ']}'))
  }
]
