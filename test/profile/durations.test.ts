import t, { type Test } from 'tap'
import type { Options } from '../../src/options.js'
import type { ProfileDocument } from '../../src/profile/schemas.js'
import type { Body } from '../helper.js'
import { reasonOf } from '../messages.js'
import type { TestSandbox } from '../sandbox.js'
import { openWith, refusals } from './edge.js'

const open = (t: Test, durations: NonNullable<ProfileDocument['durations']>, options: Partial<Options> = {}) =>
  openWith(t, { durations }, options)

/** Pauses a workspace. @returns the milliseconds that it takes */
async function pausing(b: TestSandbox, workgroup: string): Promise<number> {
  const { workspace_id: id } = await b.createActive(workgroup)
  await b.result('POST', `/workgroups/${workgroup}/workspaces/${id}/pause`)
  const { due } = (await b.events()).find(({ resource_id }) => resource_id === id)!
  return Date.parse(due as string) - Date.parse(await b.now())
}

void t.test('the length of a transition is that of a rule, of the profile, or of --transitions', async (t) => {
  const b = await open(t, { 'workspace.pause': 'PT45S', 'workspace.resume': { fast: '7s' } })
  const workgroup = await b.createWorkgroup()
  t.equal(await pausing(b, workgroup), 45_000)
  const { transitions } = await b.controlResult('GET', '/transitions')
  const lengths = (transitions as Body[]).filter(({ name }) => /pause|resume|resize/.test(name as string))
  t.match(lengths, [
    { min_ms: 45_000, max_ms: 45_000 },
    { min_ms: 7000, max_ms: 7000 },
    { min_ms: 2000, max_ms: 2000 }
  ])
  await b.setRules({ transition: 'workspace.pause', after: 'PT2H' })
  t.equal(await pausing(b, workgroup), 7_200_000)
})

void t.test('a length between bounds is random, but repeatable with a seed', async (t) => {
  const durations = { 'workspace.pause': { min: 'PT1M', max: '3m' } } as const
  const runs: number[][] = []
  for (let run = 0; run < 2; run++) {
    const b = await open(t, durations, { seed: 42 })
    const workgroup = await b.createWorkgroup()
    const lengths: number[] = []
    for (let i = 0; i < 20; i++) lengths.push(await pausing(b, workgroup))
    t.ok(lengths.every((length) => length >= 60_000 && length <= 180_000))
    t.ok(new Set(lengths).size > 10)
    runs.push(lengths)
    t.match((await b.controlResult('GET', '/transitions')).transitions[1], {
      min_ms: 60_000,
      max_ms: 180_000
    })
  }
  t.strictSame(runs[1], runs[0])
})

void t.test('the steps of a restore depend on its length', async (t) => {
  const b = await open(t, { 'restore.run': 'PT30M', 'backup.run': 'PT0S' })
  const workgroup = await b.createWorkgroup()
  const { workspace_id: id } = await b.createActive(workgroup)
  const { id: backup_id } = await b.controlResult('POST', `/workspaces/${id}/backups`)
  const url = `/workgroups/${workgroup}/workspaces/${id}/backups/restore`
  await b.result('POST', url, { backup_id })
  const due = (await b.events()).map(({ event, due }) => [event, (due as string).slice(11, 19)])
  t.strictSame(due, [
    ['restore.step', '00:10:00'],
    ['restore.run', '00:30:00']
  ])
  await b.advance('PT1H')
  await b.setRules({ transition: 'restore.run', outcome: 'hold' })
  await b.result('POST', url, { backup_id })
  t.match(await b.events(), [
    { event: 'restore.step', due: /T01:10:00/ },
    { event: 'restore.run', held: true }
  ])
})

void t.test('invalid durations are refused', async (t) => {
  for (const [durations, field, reason] of [
    [{ 'backup.run': 'soon' }, 'backup.run', reasonOf('duration')],
    [{ 'backup.run': '-1s' }, 'backup.run', reasonOf('duration')],
    [{ 'backup.run': { min: '2s', max: '1s' } }, 'backup.run.max', reasonOf('maxBelow', { min: '2s' })],
    [{ 'backup.run': { fast: { min: '2s', max: 'x' } } }, 'backup.run.fast.max', reasonOf('duration')],
    [{ 'backup.run': { min: '2s' } }, 'backup.run.max', reasonOf('required')],
    [{ 'backup.run': { fast: '2s', min: '1s' } }, 'backup.run', reasonOf('eitherForm')]
  ] as const)
    t.strictSame(refusals({ durations }), [[`durations.${field}`, reason]])
  t.strictSame(refusals({ durations: { 'backup.run': {} } }), [
    ['durations.backup.run.min', reasonOf('required')],
    ['durations.backup.run.max', reasonOf('required')]
  ])
})
