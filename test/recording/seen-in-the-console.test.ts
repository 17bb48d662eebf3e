import t, { type Test } from 'tap'
import { causesOf } from '../../src/console/model/causes.js'
import { recordOf } from '../../src/console/model/record-of.js'
import { Recorded, timelineOf } from '../../src/console/model/recorded.js'
import { differencesBetween } from '../../src/console/model/state-differences.js'
import { belongingsIn, eventsIn, workspacesIn } from '../../src/console/model/state-parts.js'
import { findStop, stepOutcomes } from '../../src/console/model/stops.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { openRecording } from '../../src/recording/recording.js'
import type { ViewedStep } from '../../src/recording/viewed.js'
import { viewRecording } from '../../src/recording/viewer.js'
import type { Body } from '../helper.js'
import type { TestSandbox } from '../sandbox.js'
import { PLANTED, recordPlanted } from './planted.js'
import { recorded } from './recordings.js'

async function recordedIn(path: string): Promise<Recorded> {
  const lines: string[] = []
  for await (const line of viewRecording(await openRecording(path), BUILT_IN)) lines.push(line)
  return Recorded.parse(lines.join('\n'))
}

async function planted(t: Test) {
  const { path, id } = await recordPlanted(t, 3)
  const recorded = await recordedIn(path)
  const failure = recorded.steps.findLast((step) => timelineOf(step).some(({ reason }) => reason !== null))!
  return { recorded, id, failure }
}

void t.test('each place has its state, whichever way one goes there', async (t) => {
  const { recorded } = await planted(t)
  const forwards = recorded.stops.map(({ place }) => JSON.stringify(recorded.stateAt(place)))
  const again = new Recorded(recorded.beginning, recorded.steps.slice(1) as ViewedStep[], recorded.end)
  const backwards = recorded.stops.toReversed().map(({ place }) => JSON.stringify(again.stateAt(place)))
  t.strictSame(backwards.reverse(), forwards)
  for (const [index, { step }] of recorded.stops.entries()) t.equal(recorded.stopOf(step), index)
  t.throws(() => Recorded.parse('{"after":0}\n{"step":1}'), /cannot be read to its end/)
})

void t.test('one stops at the answer of a request, not at its change before', async (t) => {
  const { recorded } = await planted(t)
  const isStop = new Set(recorded.stops)
  let skipped = 0
  for (const step of recorded.steps) {
    if (isStop.has(step)) continue
    skipped++
    const { kind, id, place } = step
    const next = recorded.steps[place + 1]!
    t.strictSame([kind, next.kind, next.id], ['change', 'request', id])
  }
  t.ok(skipped > 10)
})

void t.test('what led to a failure: the event, the request that scheduled it, and the rule', async (t) => {
  const { recorded, id, failure } = await planted(t)
  const causes = causesOf(recorded, failure.place, id)
  t.equal(causes[0]!.shown, failure)
  t.match(causes[0], { timeline: [{ from: 'Resuming', to: 'Stopped', reason: PLANTED }] })
  const [scheduled, rule] = causes[0]!.because
  t.equal(scheduled!.kind, 'scheduled')
  t.match(scheduled!.from.request, { operation: 'resumeWorkspace', params: { workspaceID: id } })
  t.equal(rule!.kind, 'rule')
  t.match(rule!.from.request, { control: true, method: 'PUT', path: '/_mock/transitions' })
  t.match(
    causes.map(({ timeline }) => timeline[0]?.to),
    ['Stopped', 'Resuming', 'Stopped', 'Pausing', 'Active', 'Resuming', 'Stopped', 'Pausing', 'Active', 'Creating']
  )
  t.match(causes.at(-1)!.shown.request, { operation: 'createWorkspace' })
})

void t.test('requests that failed, faults and replacements are causes, too', async (t) => {
  const live = async ({ call, controlResult }: TestSandbox) => {
    await controlResult('POST', '/reset')
    await controlResult('POST', '/faults', { operation: 'pauseWorkspace', effect: { status: 503 } })
    await call('POST', '/workgroups/demo/workspaces/main/pause')
  }
  const run = await recordedIn(await recorded(t, live, { demo: true }))
  const [refused, reset] = causesOf(run, run.last.place, 'main')
  t.match(refused, { shown: { request: { status: 503 } }, because: [{ kind: 'fault' }], changes: [] })
  t.match(refused!.because[0]!.from.request, { path: '/_mock/faults' })
  t.equal(reset!.shown.kind, 'reset')
})

void t.test('a cause has the time of what it did, not that of the answer that shows it', async (t) => {
  const { recorded } = await planted(t)
  const request = recorded.steps.find((step) => step.request?.status === 200)!.request!
  const steps: ViewedStep[] = [
    { step: 1, kind: 'change', id: 'slow', at: 1000, touches: ['w'] },
    { step: 2, kind: 'request', id: 'slow', at: 9000, request }
  ]
  const slow = new Recorded({ ...recorded.beginning, after: 0 }, steps, recorded.end)
  t.match(causesOf(slow, 2, 'w'), [{ at: 1000, shown: { step: 2 } }])
})

void t.test('two moments differ by resource, and lists without ids by their items', async (t) => {
  const {
    recorded,
    id,
    failure: { place }
  } = await planted(t)
  const differences = differencesBetween(recorded.stateAt(place - 1), recorded.stateAt(place))
  t.match(
    differences.find((one) => one.id === id),
    {
      kind: 'workspace',
      change: 'changed',
      name: 'worker-2',
      values: [{ path: 'status', before: 'Resuming', after: 'Stopped' }]
    }
  )
  const timeline = differences.find((one) => one.id === 'timeline')!
  t.match(timeline.values, [{ path: '', after: { to: 'Stopped' } }])
  const whole = differencesBetween(recorded.stateAt(0), recorded.stateAt(place))
  t.equal(whole.filter(({ kind, change }) => kind === 'workspace' && change === 'added').length, 5)
  t.strictSame(differencesBetween(recorded.stateAt(place), recorded.stateAt(place)), [])
  const back = differencesBetween(recorded.stateAt(place), recorded.stateAt(0))
  t.equal(back.filter(({ kind, change }) => kind === 'workspace' && change === 'removed').length, 5)
})

void t.test('a step is found by its words, forwards and backwards, and around the end', async (t) => {
  const { recorded, id, failure } = await planted(t)
  const failed = recorded.stops.indexOf(failure)
  const nameOf = (one: string) => (one === id ? 'worker-2' : undefined)
  const find = (text: string, stop: number, by: 1 | -1 = 1) => findStop(recorded, text, { stop, nameOf, by })
  t.equal(find('no CAPACITY worker-2', 0), failed)
  t.equal(find('no capacity', failed), failed, 'it is the only one')
  t.equal(find('no capacity', recorded.stops.length - 1, -1), failed)
  t.equal(find('no capacity', failed + 1), failed)
  t.equal(find('no such words', 0), undefined)
  const [first, second] = [find('resumeworkspace worker-2', 0)!, find('resumeworkspace worker-2', failed)!]
  t.ok(first < failed && failed < second)
})

void t.test('the marks show where it failed', async (t) => {
  const { recorded, failure } = await planted(t)
  for (const most of [1000, 20]) {
    const marks = stepOutcomes(recorded, most)
    t.ok(marks.length <= Math.max(recorded.stops.length, most))
    const failed = marks.filter(({ outcome }) => outcome === 'failed')
    t.equal(failed.length, 1)
    const share = recorded.stops.indexOf(failure) / (recorded.stops.length - 1)
    t.ok(failed[0]!.from <= share && share <= failed[0]!.to)
  }
})

void t.test('the console reads of a recording what a server said at that moment', async (t) => {
  const said: Body = {}
  const file = await recorded(
    t,
    async (b) => {
      const path = '/workgroups/demo/workspaces/main'
      said.id = (await b.call('POST', `${path}/pause`)).body.RequestID
      await b.control('POST', '/clock/advance', { by: 'PT1H' })
      await b.call('POST', `${path}/resume`)
      for (const one of ['overview', 'events', 'workspaces/main', 'requests', `requests/${said.id}`])
        said[one] = await b.controlResult('GET', `/${one}`)
    },
    { demo: true }
  )
  const run = await recordedIn(file)
  const state = run.stateAt(run.last.place)
  const { hosts } = run.beginning
  t.same(
    workspacesIn(state).map((workspace) => ({ ...workspace, host: hosts[workspace.workspace_id] })),
    said.overview.workspaces
  )
  t.same(run.beginning.overview.possible_in, said.overview.possible_in)
  t.same(eventsIn(state), said.events)
  // The console shows timestamps of any form alike.
  const shown = (belongings: unknown) =>
    JSON.parse(JSON.stringify(belongings).replaceAll(/(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)[^"]*/g, '$1 $2')) as unknown
  t.same(shown(belongingsIn(state, 'main')), shown(said['workspaces/main']))
  t.equal(belongingsIn(state, 'nothing'), undefined)
  const requests = run.steps.flatMap(({ request: one }) => one ?? [])
  const own = requests.filter(({ control }) => control === undefined)
  t.match(own, said.requests.requests as Body[])
  t.same(recordOf(run, run.last.place, said.id as string), said[`requests/${said.id}`])
  const asked = run.steps.find(({ kind, id }) => kind === 'request' && id === said.id)!
  t.match(
    recordOf(run, asked.place, said.id as string)!.events,
    [{ state: 'pending', at: null }],
    'and not what came later'
  )
  t.equal(recordOf(run, 0, said.id as string), undefined)
})
