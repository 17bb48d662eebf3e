import t from 'tap'
import { openActiveWorkspace } from '../active-workspace.js'
import type { Body } from '../helper.js'
import { buildWith, checkRefused, refusals } from './edge.js'

const PHASES = {
  Creating: [
    { status: 'Queued', condition: '', lasts: '10s' },
    { status: 'Provisioning', condition: 'Booting', lasts: 'PT20S' },
    { condition: 'Booting' }
  ],
  Active: [{ status: 'Ready', condition: 'Healthy' }],
  Stopped: [{}]
}

void t.test('a workspace shows the phases of its states, by the clock of its sandbox', async (t) => {
  const mock = await buildWith(t, {
    states: { phases: PHASES, workspace: { Creating: 'Starting', Stopped: 'Off' } },
    durations: { 'workspace.create': '1m' }
  })
  const b = await openActiveWorkspace(mock)
  const shown = async (path: string) => {
    const { status, condition_type: condition } = await b.result('GET', path)
    return [status as string, condition as string | undefined]
  }
  t.strictSame(await shown(b.path), ['Ready', 'Healthy'])
  const made = await b.result('POST', `/workgroups/${b.workgroup}/workspaces`, {})
  t.match(made, { status: 'Queued', condition_type: '' })
  const path = `/workgroups/${b.workgroup}/workspaces/${made.workspace_id}`
  const inList = async () => {
    const [{ workspaces }] = await b.result('GET', '/workgroups')
    return (workspaces as Body[]).find(({ workspace_id: id }) => id === made.workspace_id)!.status as string
  }
  for (const [by, status, condition] of [
    ['9s', 'Queued', ''],
    ['1s', 'Provisioning', 'Booting'],
    ['20s', 'Starting', 'Booting'],
    ['30s', 'Ready', 'Healthy']
  ] as const) {
    // An earlier reply must not be reused.
    await shown(path)
    await inList()
    await b.controlResult('POST', '/clock/advance', { by })
    await b.result('PUT', path, { auto_stop_minutes: 0 })
    t.strictSame(await shown(path), [status, condition], `${by}, whatever an update changes`)
    t.equal(await inList(), status)
  }
  await b.result('POST', `${path}/pause`)
  t.strictSame(await shown(path), ['Pausing', 'PausePre'], 'other states are as built in')
  await b.controlResult('POST', '/clock/advance', { until: { workspace_id: made.workspace_id, status: 'Off' } })
  t.strictSame(await shown(path), ['Off', undefined], 'a phase without a condition has none')
  t.match((await b.controlResult('GET', '/profile')).states.phases.Creating, [
    { status: 'Queued', condition: '', lasts: '10s' },
    { lasts: 'PT20S' },
    { condition: 'Booting' }
  ])
})

void t.test('invalid phases are refused', async (t) => {
  checkRefused(t, 'states.phases', [
    [{ Creeting: [{}] }, 'Creeting'],
    [{ Active: [] }, 'Active'],
    [{ Active: [{ lasts: '1s' }] }, 'Active.0.lasts'],
    [{ Active: [{}, {}] }, 'Active.0.lasts'],
    [{ Active: [{ lasts: 'soon' }, {}] }, 'Active.0.lasts'],
    [{ Active: [{ lasts: 'PT0S' }, {}] }, 'Active.0.lasts'],
    [{ Active: [{ status: ' ' }] }, 'Active.0.status']
  ])
  t.match(refusals({ states: { phases: { Creeting: [{}] } } }), [[String, /did you mean Creating/]])
})
