import t from 'tap'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { Random, seedFrom } from '../../src/sim/random.js'
import { effort, seed } from '../effort.js'
import { type Body, buildMock } from '../helper.js'
import { messageOf } from '../messages.js'
import { illegalChanges } from '../reliability/race-driver.js'
import { holdWall } from '../wall.js'
import { liveRandomly } from './random-life.js'

/** Later than any clock that these documents have of themselves. */
const FAR = Date.parse('2027-06-01T00:00:00Z')

const LIVES = effort(3, 4)
const MUTANTS = effort(30, 40)

void t.test(`of ${LIVES * MUTANTS} damaged documents, each is refused or leads to a sandbox that works`, async (t) => {
  t.comment(`SEED=${seed}`)
  // A document that has lost its clock runs by the machine's, which must not be further away from day to day.
  const wall = holdWall(t)
  const counts = { refused: 0, accepted: 0 }
  for (let life = 0; life < LIVES; life++) {
    const random = new Random({ seed: seedFrom('fuzz', seed, life), draws: 0 })
    const mock = await buildMock(t, { transitions: life % 3 === 2 ? 'instant' : 'fast' })
    const control = (method: string, url: string, body?: unknown) =>
      mock.call(method, url, { key: 'fuzz', body, prefix: '/_mock' })
    await liveRandomly(mock, 'fuzz', random, 60, { now: 0 })
    const state = (await control('GET', '/state')).body.Result
    // No time has passed since the export: at a rate of 60, a day would be two months.
    wall.now = Date.parse((state.clock.wall ?? state.clock.now) as string)
    for (let mutant = 0; mutant < MUTANTS; mutant++) {
      const document = structuredClone(state)
      const changes = Array.from({ length: 1 + Math.floor(random.fraction() * 3) }, () => damage(document, random))
      const of = `SEED=${seed} life ${life} mutant ${mutant}: ${changes.join('; ')}`
      const before = (await control('GET', '/state')).body.Result
      const put = await control('PUT', '/state', document)
      if (put.status === 400) {
        counts.refused++
        const after = (await control('GET', '/state')).body.Result
        if (before.clock.mode !== 'real' && JSON.stringify(after) !== JSON.stringify(before))
          t.fail(`a refused document changes nothing: ${of}`)
        continue
      }
      counts.accepted++
      if (put.status !== 200) t.fail(`${put.status} ${JSON.stringify(put.body)} ${of}`)
      // A clock that is years ahead has more to catch up with than can be run in one go, call after call; that has
      // tests of its own.
      const sandbox = await mock.plane.sandboxes.open(sandboxIdOf('fuzz'))
      if (mock.plane.engine.now(sandbox) > FAR) {
        await control('PUT', '/state', state)
        continue
      }
      const imported = (document.timeline as Body[] | undefined)?.length ?? 0
      for (const problem of await use(imported)) t.fail(`${problem}: ${of}`)
    }

    /** Reads everything, creates something, lets a day go by. @returns what is wrong then */
    async function use(known: number): Promise<string[]> {
      const problems: string[] = []
      const check = (what: string, { status, body }: { status: number; body: Body }) => {
        if (status >= 500) problems.push(`${what} ${status} ${JSON.stringify(body)}`)
        return body.Result
      }
      const call = async (method: string, url: string, body?: unknown) =>
        check(`${method} ${url}`, await mock.call(method, url, { key: 'fuzz', body }))
      const readAll = async () => {
        for (const url of ['/clock', '/events', '/timeline', '/transitions', '/quotas', '/state'])
          check(url, await control('GET', url))
        await mock.call('GET', '/users', { key: 'fuzz', prefix: '', headers: { authorization: 'Bearer fuzz' } })
        for (const { workgroup_id: group, workspaces, svc_databases: databases } of ((await call(
          'GET',
          '/workgroups'
        )) ?? []) as Body[]) {
          const path = `/workgroups/${group}`
          for (const url of [
            path,
            `${path}/allow_list`,
            ...(databases as Body[]).map(({ database_id: id }) => `${path}/databases/${id}`)
          ])
            await call('GET', url)
          for (const { workspace_id: id } of workspaces as Body[]) {
            for (const part of ['', '/backups/schedule', '/schedules', '/dbuser'])
              await call('GET', `${path}/workspaces/${id}${part}`)
            await call('GET', `/workspaces/${id}/backups`)
          }
        }
      }
      // With a rate of a million, more becomes due while a call runs than it can do; that has an error of its own.
      await control('PUT', '/clock', { mode: 'frozen', rate: 1 })
      await readAll()
      const { workgroup_id: group } = (await call('POST', '/workgroups', { cloud_provider_id: 'after' })) ?? {}
      if (group === undefined) problems.push('no workgroup can be created')
      // As many as there may be of an id that the stream gives once more.
      for (let i = 0; i < 20; i++) await call('POST', `/workgroups/${group}/workspaces`, {})
      const moved = await control('POST', '/clock/advance', { by: 'P1D' })
      check('advance', moved)
      if (moved.status !== 200 && moved.body.Message !== messageOf('notAllowed', { by: 'beyond' }))
        problems.push(`advance: ${moved.body.Message}`)
      await control('POST', '/transitions/release')
      check('advance again', await control('POST', '/clock/advance', { by: 'PT1H' }))
      await readAll()
      const timeline = (check('timeline', await control('GET', '/timeline')) ?? []) as Body[]
      problems.push(...illegalChanges(timeline, mock.plane.engine.transitions, known))
      return problems
    }
  }
  t.comment(JSON.stringify(counts))
  t.ok(counts.refused > LIVES * 5 && counts.accepted > LIVES * 5, 'both refused and accepted documents')
})

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e15,
  '',
  ...'x Active Restoring Resizing Creating Failed Running Terminating real SVC-2 __proto__'.split(' '),
  'workspace.resize',
  'backup.run',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.000Z',
  [],
  {},
  ['x'],
  { x: 1 }
]

/** Deletes, replaces or duplicates a random part of a document. @returns what was done */
function damage(document: Body, random: Random): string {
  const below = (limit: number) => Math.floor(random.fraction() * limit)
  let parent: Body = document
  let path = ''
  for (;;) {
    const keys = Object.keys(parent as object)
    const key = keys[below(keys.length)]
    if (key === undefined) return `nothing at ${path}`
    const value: unknown = parent[key]
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0 && random.fraction() < 0.9) {
      parent = value
      path = `${path}.${key}`
      continue
    }
    const at = `${path}.${key}`
    const way = below(4)
    if (way === 0) {
      if (Array.isArray(parent)) parent.splice(Number(key), 1)
      else Reflect.deleteProperty(parent as object, key)
      return `delete ${at}`
    }
    if (way === 1) {
      const list = Array.isArray(parent) ? parent : undefined
      list?.push(structuredClone(value))
      return `duplicate ${at}`
    }
    // What stands elsewhere in the document is the likeliest to be taken for right.
    const other = structuredClone(way === 2 ? VALUES[below(VALUES.length)] : sample(document, random))
    parent[key] = other
    return `${at} = ${JSON.stringify(other).slice(0, 200)}`
  }
}

function sample(document: Body, random: Random): unknown {
  let value: unknown = document
  while (typeof value === 'object' && value !== null) {
    const children = Object.values(value)
    if (children.length === 0) return value
    value = children[Math.floor(random.fraction() * children.length)]
  }
  return value
}
