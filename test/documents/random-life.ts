import type { Random } from '../../src/sim/random.js'
import type { BuiltMock } from '../helper.js'
import { callOf, Chooser, WEIGHTS, worldOf } from '../reliability/race-chooser.js'

// A session would be needed to set roles.
const { setRoles: _, ...KINDS } = WEIGHTS

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
  const inGroup = async (method: string, url: string, body: object) => {
    if (world.groups.size > 0) await act(method, `/workgroups/${pick([...world.groups])}${url}`, { key, body })
  }
  const onWorkspace = async (method: string, url: string, body: object) => {
    if (world.workspaces.size === 0) return
    const [id, { group }] = pick([...world.workspaces])
    await act(method, `/workgroups/${group}/workspaces/${id}${url}`, { key, body: { ...body, workspace_id: id } })
  }
  /** What the chooser does not ask for. */
  const others: readonly (() => Promise<unknown>)[] = [
    () => inGroup('POST', '/allow_list', { cidr: `10.${below(250)}.0.0/16`, note: '' }),
    () =>
      inGroup('POST', '/workspaces', { auto_stop_minutes: 30, addons: [{ addons_id: 'a', enable: true, other: 1 }] }),
    () => onWorkspace('PUT', '', { agent_config: { heartbeat_interval_seconds: 5, other: 1 } }),
    () => onWorkspace('POST', '/backups/schedule', { schedule: pick(['0 3 * * *', '30 12 * * 1']) }),
    () =>
      onWorkspace('POST', '/backups/schedule', {
        repeat: pick(['weekdays', 'weekly']),
        time: pick(['08:00', '19:30']),
        timezone: pick(['Europe/Berlin', 'Asia/Tokyo'])
      }),
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
    if (random.fraction() < 0.4) await pick(others)()
    else for (const ask of chooser.next(1)) await act(...callOf(ask, key))
  }
}
