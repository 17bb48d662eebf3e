import t from 'tap'
import { causesOf } from '../../src/console/model/causes.js'
import { recordOf } from '../../src/console/model/record-of.js'
import { Recorded, timelineOf } from '../../src/console/model/recorded.js'
import { belongingsIn, eventsIn, workspacesIn } from '../../src/console/model/state-parts.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { openRecording } from '../../src/recording/recording.js'
import type { ViewedStep } from '../../src/recording/viewed.js'
import { viewRecording } from '../../src/recording/viewer.js'
import { hostsBy } from '../../src/test-control/overview/hosts.js'
import type { Body } from '../helper.js'
import type { TestSandbox } from '../sandbox.js'
import { PLANTED, recordPlanted } from './planted.js'
import { recorded } from './recordings.js'

async function recordedIn(path: string): Promise<Recorded> {
  const lines: string[] = []
  for await (const line of viewRecording(await openRecording(path), BUILT_IN)) lines.push(line)
  return Recorded.parse(lines.join('\n'))
}

const { path, id } = await recordPlanted(t, 3)
const planted = await recordedIn(path)
const failure = planted.steps.findLast((step) => timelineOf(step).some(({ reason }) => reason !== null))!

void t.test('each place has the same state, whether reached forwards or backwards', async (t) => {
  const forwards = planted.stops.map(({ place }) => JSON.stringify(planted.stateAt(place)))
  const again = new Recorded(planted.beginning, planted.steps.slice(1) as ViewedStep[], planted.end)
  const backwards = planted.stops.toReversed().map(({ place }) => JSON.stringify(again.stateAt(place)))
  t.strictSame(backwards.reverse(), forwards)
  for (const [index, { step }] of planted.stops.entries()) t.equal(planted.stopOf(step), index)
  t.throws(() => Recorded.parse('{"after":0}\n{"step":1}'), /cannot be read to its end/)
})

void t.test('the slider stops at a request, not at its changes before', async (t) => {
  const isStop = new Set(planted.stops)
  let skipped = 0
  for (const step of planted.steps) {
    if (isStop.has(step)) continue
    skipped++
    const { kind, id, place } = step
    const next = planted.steps[place + 1]!
    t.strictSame([kind, next.kind, next.id], ['change', 'request', id])
  }
  t.ok(skipped > 10)
})

void t.test('the event, and the request that scheduled it, led to a failure', async (t) => {
  const causes = causesOf(planted, failure.place, id)
  t.equal(causes[0]!.shown, failure)
  t.match(causes[0], { timeline: [{ from: 'Resuming', to: 'Stopped', reason: PLANTED }] })
  t.match(causes[0]!.scheduledBy!.request, { operation: 'resumeWorkspace', params: { workspaceID: id } })
  t.match(
    causes.map(({ timeline }) => timeline[0]?.to),
    ['Stopped', 'Resuming', 'Stopped', 'Pausing', 'Active', 'Resuming', 'Stopped', 'Pausing', 'Active', 'Creating']
  )
  t.match(causes.at(-1)!.shown.request, { operation: 'createWorkspace' })
})

void t.test('a replacement is a cause, too', async (t) => {
  const live = ({ controlResult }: TestSandbox) => controlResult('POST', '/reset')
  const run = await recordedIn(await recorded(t, live, { demo: true }))
  t.match(causesOf(run, run.last.place, 'main'), [{ shown: { kind: 'reset' } }])
})

void t.test('a cause has the time of its change, not that of its reply', async (t) => {
  const request = planted.steps.find((step) => step.request?.status === 200)!.request!
  const steps: ViewedStep[] = [
    { step: 1, kind: 'change', id: 'slow', at: 1000, touches: ['w'] },
    { step: 2, kind: 'request', id: 'slow', at: 9000, request }
  ]
  const slow = new Recorded({ ...planted.beginning, after: 0 }, steps, planted.end)
  t.match(causesOf(slow, 2, 'w'), [{ at: 1000, shown: { step: 2 } }])
})

void t.test('failures are marked', async (t) => {
  t.strictSame(planted.failedStops, [planted.stops.indexOf(failure)])
})

void t.test('the console reads from a recording what the server replied at that moment', async (t) => {
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
  t.same(workspacesIn(state, hostsBy(run.beginning.host_template)), said.overview.workspaces)
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
  const events = recordOf(run, asked.place, said.id as string)!.events
  t.match(events, [{ state: 'pending', at: null }], 'not its later state')
  t.equal(recordOf(run, 0, said.id as string), undefined)
})

void t.test('an event that a replacement of the sandbox ended is not pending', async (t) => {
  const said: Body = {}
  const file = await recorded(
    t,
    async (b) => {
      await b.control('PUT', '/snapshots/before')
      said.id = (await b.call('POST', '/workgroups/demo/workspaces/main/pause')).body.RequestID
      await b.control('PUT', '/snapshots/after')
      await b.control('POST', '/snapshots/before/restore')
      said.gone = await b.controlResult('GET', `/requests/${said.id}`)
      await b.control('POST', '/snapshots/after/restore')
      said.back = await b.controlResult('GET', `/requests/${said.id}`)
      await b.control('POST', '/clock/advance', { by: 'PT1H' })
      said.end = await b.controlResult('GET', `/requests/${said.id}`)
    },
    { demo: true }
  )
  const run = await recordedIn(file)
  const [gone, back] = run.steps.filter(({ kind }) => kind === 'restore')
  t.match(said.gone.events, [{ state: 'cancelled' }])
  t.same(recordOf(run, gone!.place, said.id as string), said.gone)
  t.match(said.back.events, [{ state: 'pending' }])
  t.same(recordOf(run, back!.place, said.id as string), said.back)
  t.match(said.end.events, [{ state: 'fired' }])
  t.same(recordOf(run, run.last.place, said.id as string), said.end)
})

void t.test('the record of a request counts the omitted changes of its events', async (t) => {
  let id = ''
  const file = await recorded(t, async (b) => {
    const backups = Array.from({ length: 250 }, (_, index) => ({ id: `backup-${index}` }))
    await b.control('PUT', '/state', { workgroups: [{ id: 'g', workspaces: [{ id: 'w', backups }] }] })
    id = (await b.call('DELETE', '/workgroups/g/workspaces/w')).body.RequestID
    await b.control('POST', '/clock/advance', { by: 'PT1H' })
  })
  const run = await recordedIn(file)
  t.match(recordOf(run, run.last.place, id), { events: [{ changes: { length: 200 } }], omitted: 51 })
})
