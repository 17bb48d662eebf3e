import type { Random } from '../../src/sim/random.js'
import type { Body, BuiltMock, Reply } from '../helper.js'

/**
 * Lets random things happen in a sandbox, as tests and clients would bring them about. What is refused is left at that.
 */
export async function liveRandomly(
  { call }: BuiltMock,
  key: string,
  random: Random,
  steps: number,
  wall: { now: number }
): Promise<void> {
  const below = (limit: number) => Math.floor(random.fraction() * limit)
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!
  const act = async (method: string, url: string, body?: unknown): Promise<Reply> => {
    const reply = await call(method, url, { key, body })
    if (reply.status >= 500) throw new Error(`${method} ${url}: ${JSON.stringify(reply.body)}`)
    return reply
  }
  const control = (method: string, url: string, body?: unknown) => call(method, url, { key, body, prefix: '/_mock' })
  const rows = async (url: string): Promise<Body[]> => ((await act('GET', url)).body.Result ?? []) as Body[]
  const groups: string[] = []
  const workspaces: { group: string; id: string; database: string }[] = []
  const addGroup = async () => {
    groups.push(
      (await act('POST', '/workgroups', { cloud_provider_id: 'random', platform: pick(['aws', 'gcp']) })).body.Result
        .workgroup_id as string
    )
  }
  const onWorkspace = async (
    what: (path: string, workspace: { group: string; id: string; database: string }) => Promise<unknown>
  ) => {
    if (workspaces.length === 0) return
    const workspace = pick(workspaces)
    await what(`/workgroups/${workspace.group}/workspaces/${workspace.id}`, workspace)
  }
  const addWorkspace = async () => {
    const other = random.fraction() < 0.4 && workspaces.length > 0 ? pick(workspaces) : undefined
    const group = other?.group ?? pick(groups)
    const body =
      other === undefined
        ? {
            auto_stop_minutes: pick([0, 0, 1, 30]),
            enable_auto_start: random.fraction() < 0.5,
            addons: [{ addons_id: 'a', enable: true, other: 1 }]
          }
        : { svc_database_id: other.database, is_rw: random.fraction() < 0.3, auto_stop_minutes: pick([0, 5]) }
    const { status, body: reply } = await act('POST', `/workgroups/${group}/workspaces`, body)
    if (status === 200)
      workspaces.push({ group, id: reply.Result.workspace_id as string, database: reply.Result.database_id as string })
  }
  const transitions = ['create', 'pause', 'resume', 'resize', 'delete', 'refresh']
    .map((name) => `workspace.${name}`)
    .concat('restore.run', 'backup.run')
  const schedule = (id: string) =>
    pick([
      {
        schedule: pick(['0 3 * * *', '*/20 * * * *', '30 12 * * 1']),
        max_backup_files: pick([1, 3]),
        max_retry: pick([0, 2]),
        pause: random.fraction() < 0.1
      },
      {
        workspace_id: id,
        repeat: pick(['daily', 'weekdays', 'weekly']),
        time: pick(['08:00', '19:30']),
        timezone: pick(['UTC', 'Europe/Berlin']),
        ...pick([{}, { workspace_type_name: 'SVC-1' }])
      },
      { workspace_id: id, repeat: 'none', date: '2026-01-03', time: '10:00', timezone: 'Asia/Tokyo' }
    ])
  const deeds: readonly (readonly [weight: number, deed: () => Promise<unknown>])[] = [
    [1, addGroup],
    [4, addWorkspace],
    [3, () => onWorkspace((path) => act('POST', `${path}/pause`))],
    [3, () => onWorkspace((path) => act('POST', `${path}/resume`))],
    [2, () => onWorkspace((path) => act('POST', `${path}/refresh`))],
    [
      3,
      () =>
        onWorkspace((path) =>
          act(
            'PUT',
            path,
            pick<Body>([
              { workspace_type_name: pick(['SVC-1', 'SVC-2']) },
              { enable_ha: true },
              { auto_stop_minutes: pick([0, 2]) },
              { agent_config: { heartbeat_interval_seconds: 5, other: 1 } }
            ])
          )
        )
    ],
    [1, () => onWorkspace((path) => act('DELETE', path))],
    [3, () => onWorkspace((path, { id }) => act('POST', `${path}/backups/schedule`, schedule(id)))],
    [
      3,
      () => onWorkspace((_path, { id }) => control('POST', `/workspaces/${id}/backups`, pick([undefined, { tag: '' }])))
    ],
    [2, () => onWorkspace((_path, { id }) => control('POST', `/workspaces/${id}/activity`))],
    [
      3,
      () =>
        onWorkspace(async (path, { id }) => {
          const backups = await rows(`/workspaces/${id}/backups`)
          if (backups.length > 0) await act('POST', `${path}/backups/restore`, { backup_id: pick(backups).id })
        })
    ],
    [
      1,
      () => onWorkspace((path) => act('POST', `${path}/dbuser`, { username: `user-${below(3)}`, password: 'secret' }))
    ],
    [
      1,
      async () => {
        if (groups.length > 0)
          await act('POST', `/workgroups/${pick(groups)}/allow_list`, { cidr: `10.${below(250)}.0.0/16`, note: '' })
      }
    ],
    [
      2,
      () =>
        control('PUT', '/transitions', {
          rules: Array.from({ length: below(4) }, () => ({
            transition: pick(transitions),
            times: 1 + below(3),
            ...pick([
              { outcome: 'hold' },
              { outcome: 'fail', reason: 'No.' },
              { outcome: 'fail' },
              { after: 'PT5M' },
              { after: 'PT0S' }
            ])
          }))
        })
    ],
    [1, () => control('POST', '/transitions/release')],
    [1, () => control('PUT', '/quotas', { rw_workspaces: pick([null, 2, 9]), automatic_backups: pick([null, 2]) })],
    [2, () => control('PUT', '/clock', { mode: pick(['real', 'frozen', 'poll']), rate: pick([1, 1, 60, 0.5]) })],
    [6, () => control('POST', '/clock/advance', { by: pick(['PT0.5S', 'PT1S', 'PT2S', 'PT1M', 'PT1H', 'P1D']) })],
    [
      2,
      async () => {
        wall.now += below(5000)
      }
    ]
  ]
  const all = deeds.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed))
  await control('PUT', '/clock', { mode: 'frozen', now: '2026-01-01T00:00:00.000Z' })
  await addGroup()
  for (let step = 0; step < steps; step++) await pick(all)()
}
