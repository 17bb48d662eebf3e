import type { Random } from '../../src/sim/random.js'
import type { BuiltMock } from '../helper.js'
import { callOf, Chooser, GROUP_WRITES, WEIGHTS, worldOf } from '../reliability/race-chooser.js'

// A session would be needed to set roles.
const { updateOrgUserRoles: _, ...KINDS } = { ...WEIGHTS, ...GROUP_WRITES }

/**
 * Lets random things happen in a sandbox, as tests and clients would bring them about. What is refused is left at that.
 */
export async function liveRandomly(
  mock: BuiltMock,
  key: string,
  random: Random,
  steps: number,
  wall: { now: number }
): Promise<void> {
  const { call } = mock
  const below = (limit: number) => Math.floor(random.fraction() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!
  const control = (method: string, url: string, body?: unknown) => call(method, url, { key, body, prefix: '/_mock' })
  const act: (...request: Parameters<BuiltMock['call']>) => Promise<void> = async (method, url, options) => {
    const { status, body } = await call(method, url, options)
    if (status >= 500) throw new Error(`${method} ${url}: ${JSON.stringify(body)}`)
  }
  const world = worldOf(mock, key)
  const chooser = new Chooser(random, world, KINDS)
  /** What the chooser does not ask for. */
  const others: readonly (() => Promise<unknown>)[] = [
    async () => {
      if (world.workspaces.size === 0) return
      const [id, { group }] = pick([...world.workspaces])
      const zoned = { repeat: pick(['weekdays', 'weekly']), time: pick(['08:00', '19:30']), timezone: 'Asia/Tokyo' }
      const body = pick([{ agent_config: { heartbeat_interval_seconds: 5, other: 1 } }, { ...zoned, workspace_id: id }])
      const [method, end] = 'repeat' in body ? ['POST', '/backups/schedule'] : ['PUT', '']
      await act(method, `/workgroups/${group}/workspaces/${id}${end}`, { key, body })
    },
    () => control('PUT', '/quotas', { rw_workspaces: pick([null, 2, 9]), automatic_backups: pick([null, 2]) }),
    () => control('PUT', '/clock', { mode: pick(['real', 'frozen', 'poll']), rate: pick([1, 1, 60, 0.5]) }),
    () => control('POST', '/clock/advance', { by: pick(['PT0.5S', 'PT1M', 'PT1H', 'P1D']) }),
    async () => {
      wall.now += below(5000)
    }
  ]
  await control('PUT', '/clock', { mode: 'frozen', now: '2026-01-01T00:00:00.000Z' })
  for (const ask of chooser.beginning()) await act(...callOf(ask, key))
  for (let step = 0; step < steps; step++) {
    if (random.fraction() < 0.3) await pick(others)()
    else for (const ask of chooser.next(1)) await act(...callOf(ask, key))
  }
}
