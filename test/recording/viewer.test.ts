import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { patched, patchOf } from '../../src/recording/patch.js'
import { openRecording } from '../../src/recording/recording.js'
import { RecordingError } from '../../src/recording/recording-error.js'
import { viewRecording } from '../../src/recording/viewer.js'
import { openProfile } from '../../src/resources/open-profile.js'
import { pluck } from '../helper.js'
import { type TestSandbox } from '../sandbox.js'
import { readWhole, recorded, viewWhole } from './recordings.js'

const lists = fc.array(
  fc.oneof(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), n: fc.nat(2) }), fc.record({ n: fc.nat(2) })),
  { maxLength: 6 }
)
const documents = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(lists, fc.jsonValue({ maxDepth: 2 })))

void t.test('a patch turns one JSON document into the other exactly, and leaves the first unchanged', async () => {
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      const text = JSON.stringify(before)
      const patch = patchOf(before, after)
      const made = patch === undefined ? before : patched(before, JSON.parse(JSON.stringify(patch)) as typeof patch)
      return JSON.stringify(made) === JSON.stringify(after) && JSON.stringify(before) === text
    })
  )
})

void t.test('a change of one resource in a large list takes a small patch', async (t) => {
  const list = Array.from({ length: 1000 }, (_, n) => ({ id: `w-${n}`, status: 'Active' }))
  const changed = list.map((item) => (item.id === 'w-500' ? { ...item, status: 'Failed' } : item))
  t.strictSame(patchOf({ list }, { list: changed }), {
    fields: { list: { items: [[500, { fields: { status: { to: 'Failed' } } }]] } }
  })
  t.strictSame(patchOf(list, [...changed.slice(0, 700), ...changed.slice(701), { id: 'new' }]), {
    items: [[500, { fields: { status: { to: 'Failed' } } }]],
    splice: [700, 300, [...changed.slice(701), { id: 'new' }]]
  })
  t.equal(patchOf({ list }, structuredClone({ list })), undefined)
})

void t.test('a view has requests and events, with their changes and what they scheduled', async (t) => {
  let id = ''
  const live = async (b: TestSandbox) => {
    const workgroup = await b.createWorkgroup()
    id = (await b.createActive(workgroup)).workspace_id as string
    const path = `/workgroups/${workgroup}/workspaces/${id}`
    await b.call('POST', `${path}/pause`)
    await b.call('POST', `/workgroups/${workgroup}/workspaces`, { name: 7 })
    await b.control('POST', '/clock/advance', { by: 'PT1H' })
    await b.setRules({ transition: 'workspace.resume', outcome: 'hold' })
    await b.result('POST', `${path}/resume`)
    await b.controlResult('POST', '/transitions/release')
  }
  const recording = await openRecording(await recorded(t, live, { demo: true }))
  const { beginning, steps, states, end } = await viewWhole(recording)
  t.match(beginning, { after: 0, overview: { base_path: '/', possible_in: { pause: Array } } })
  t.strictSame(end, { end: true })
  const pause = steps.find(({ request }) => request?.operation === 'pauseWorkspace')!
  const own = steps.find(({ kind, id }) => kind === 'change' && id === pause.id)!
  t.strictSame(own.touches, [id])
  t.strictSame(pluck(own.changes!, 'table'), ['workspaces'], 'due events and the timeline are shown separately')
  t.match(own, {
    due: [{ what: 'scheduled', event: 'workspace.pause', resource_id: id, request_id: pause.id }],
    changes: [{ table: 'workspaces', change: 'update', after: { status: 'Pausing' } }]
  })
  t.match(pause.request, { method: 'POST', status: 200, params: { workspaceID: id }, reply: { Error: false } })
  const event = steps.find((step) => step.kind === 'event' && step.event!.kind === 'workspace.pause')!
  t.match(event, { id: pause.id, touches: [id], due: [{ what: 'ended', key: own.due![0]!.key }] })
  const moved = steps.find(({ due }) => due?.[0]!.what === 'moved')!
  t.match(moved, { kind: 'change', due: [{ event: 'workspace.resume', resource_id: id }] })
  t.notOk('changes' in moved || 'touches' in moved, 'no row of a resource changed')
  const invalid = steps.find(({ request }) => request?.status === 400)!
  t.match(invalid.request, { invalid: [{ field: 'name', reason: /./ }], error: /name/ })
  t.equal(pause.request!.error, null)
  for (const { request } of steps) t.strictSame(request?.unread ?? [], [], 'which fields were unread is unknown')
  const advance = steps.find(({ request }) => request?.operation === 'advanceClock')!
  t.equal(advance.request!.control, true)
  t.notOk('control' in pause.request!)
  for (const { patch } of steps) t.notMatch(JSON.stringify(patch), '"splice":[0,0,[]]', 'no patch is empty')
  t.equal(invalid.patch, undefined)
  t.equal(states.size, steps.length + 1)
})

void t.test('a request to a stub names the stub', async (t) => {
  const stubs = [{ method: 'POST', path: '/v1/stub', status: 200 }] as const
  const profile = { profile: 1, name: 'own', stubs } as const
  const live = ({ mock, key }: TestSandbox) => mock.call('POST', '/v1/stub', { key, prefix: '' })
  const recording = await openRecording(await recorded(t, live, { profile }))
  const viewed: { request?: object }[] = []
  for await (const line of viewRecording(recording, await openProfile(profile))) viewed.push(JSON.parse(line) as object)
  t.match(viewed.at(-2)!.request, { stub: 'POST /v1/stub' })
})

void t.test('a part begins at any step, is limited, and names the next step', async (t) => {
  const file = await recorded(t, async (b) => {
    for (let i = 0; i < 5; i++) await b.createWorkgroup()
  })
  const recording = await openRecording(file)
  const whole = await viewWhole(recording)
  const limits = { steps: 3, characters: 1e6 }
  let from = 1
  const seen: number[] = []
  for (;;) {
    const { beginning, steps, states, end } = await viewWhole(recording, { from, limits })
    t.equal(beginning.after, from - 1)
    for (const [step, state] of states) t.strictSame(state, whole.states.get(step))
    seen.push(...steps.map(({ step }) => step))
    if (end.next === undefined) break
    t.equal(steps.length, 3)
    from = end.next
  }
  t.strictSame(
    seen,
    whole.steps.map(({ step }) => step)
  )
  const { steps } = await viewWhole(recording, { limits: { steps: 100, characters: 10 } })
  t.equal(steps.length, 1, 'its size is limited, too, but it has at least one step')
  await t.rejects(viewWhole(recording, { from: 1000 }), { name: 'RecordingError', message: /^has no step 1000; / })
})

void t.test('states have the timeline as the server shortened it', async (t) => {
  const live = async (b: TestSandbox) => {
    const workgroup = await b.createWorkgroup()
    const { workspace_id: id } = await b.createActive(workgroup)
    for (let i = 0; i < 100; i++) {
      await b.call('POST', `/workgroups/${workgroup}/workspaces/${id as string}/${i % 2 === 0 ? 'pause' : 'resume'}`)
      await b.control('POST', '/clock/advance', { until: 'idle' })
    }
  }
  const file = await recorded(t, live, { timelineEntries: 40 })
  const { states } = await viewWhole(await openRecording(file))
  const whole = await readWhole(file)
  t.ok(whole.lines.filter(({ kind }) => kind === 'checkpoint').length > 1)
  for (const [index, { step }] of whole.steps.entries())
    if (JSON.stringify(states.get(step)) !== JSON.stringify(whole.states[index]))
      t.strictSame(states.get(step), whole.states[index], `step ${step}`)
})

void t.test('a damaged recording is shown up to the damage, and one without a beginning is refused', async (t) => {
  const file = await recorded(t, async (b) => {
    for (let i = 0; i < 3; i++) await b.createWorkgroup()
  })
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  const path = join(t.testdir(), 'damaged.svcmock')
  const view = async (damaged: readonly string[]) => {
    writeFileSync(path, damaged.map((line) => `${line}\n`).join(''))
    return viewWhole(await openRecording(path))
  }
  const { steps, end } = await view([...lines.slice(0, -2), '{"kind":"unknown"}'])
  t.equal(steps.length, 7)
  t.match(end.problem, /^is damaged: line \d+: kind is unknown$/)
  await t.rejects(view(lines.slice(0, 1)), RecordingError)
  const begun = await view(lines.slice(0, lines.findIndex((line) => line.includes('"checkpoint"')) + 1))
  t.match(begun, { beginning: { after: 0, state: { workgroups: [] } }, steps: [], end: { end: true } })
  await t.rejects(view([lines[0]!, 'null']), RecordingError)
  const after = await view([
    ...lines.slice(0, 5),
    '{"step":900,"kind":"gap"}',
    ...lines.filter((line) => /"checkpoint"/.test(line))
  ])
  t.equal(after.steps.at(-1)!.kind, 'gap')
  t.strictSame(after.states.get(900), after.beginning.state, 'changes during a gap belong to its step')
})
