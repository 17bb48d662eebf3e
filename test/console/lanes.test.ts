import t from 'tap'
import type { RequestSummary, TimelineItem, Workspace } from '../../src/console/api/types.js'
import { describe, requestLane, workspaceLanes } from '../../src/console/model/lanes.js'

const timeOf = (second: number) => Date.parse(at(second))
const at = (second: number) => `2027-01-01T00:00:0${second}.000Z`

/** An entry such as `r1 w workspace.pause Active Pausing`: its request, resource, transition and states. */
function entry(second: number, words: string): TimelineItem {
  const [request, resource, transition, from, to] = words.split(' ') as [string, string, string, string, string]
  return {
    at: at(second),
    resource_id: resource,
    transition,
    attribute: 'status',
    from: from === '-' ? null : from,
    to,
    reason: null,
    request_id: request
  }
}

const workspace = (id: string, status: string) => ({ workspace_id: id, name: id.toUpperCase(), status }) as Workspace

const words = { workspace: {}, refresh: {}, backup: {}, restore_job: {} }

const request = (second: number, id: string, status: number | null, operation: string | null) =>
  ({
    request_id: id,
    at: at(second),
    operation,
    method: 'POST',
    path: '/controller/v4/v2/workgroups/main/workspaces/w',
    status,
    error: status === 404 ? 'There is none.' : null
  }) as RequestSummary

void t.test('each workspace has a lane, deleted ones last; backups and restore jobs have none', async (t) => {
  const timeline = [
    entry(1, 'r1 gone workspace.delete Active Terminating'),
    entry(2, 'r1 gone workspace.delete Terminating gone'),
    entry(3, 'r2 backup-1 backup.run - Running'),
    { ...entry(3, 'r3 w workspace.refresh Refreshed Refreshing'), attribute: 'refresh_status' }
  ]
  const due = { due: at(9), held: false, event: 'workspace.pause', resource_id: 'w', request_id: 'r4' }
  t.match(workspaceLanes([workspace('w', 'Active'), workspace('x', 'Idle')], timeline, [due], words), [
    { id: 'w', name: 'W', summary: 'Active', items: [{ name: 'Active' }], due: [due] },
    { id: 'x', name: 'X', summary: 'Idle', items: [{ name: 'Idle' }], due: [] },
    { id: 'gone', name: 'gone', summary: 'gone', items: [{ name: 'Active' }, { name: 'Terminating' }] }
  ])
})

void t.test('states follow each other, from the initial one to the present one', async (t) => {
  const statesOf = (changes: TimelineItem[], status?: string) =>
    workspaceLanes(status === undefined ? [] : [workspace('w', status)], changes, [], words)[0]?.items
  const paused = [entry(1, 'r1 w workspace.pause Active Pausing'), entry(2, 'r1 w workspace.pause Pausing Stopped')]
  t.match(statesOf(paused, 'Stopped'), [
    { from: -Infinity, to: timeOf(1), name: 'Active', request: undefined },
    { from: timeOf(1), to: timeOf(2), name: 'Pausing', request: 'r1' },
    { from: timeOf(2), to: undefined, name: 'Stopped', request: 'r1' }
  ])
  t.match(statesOf([], 'Idle'), [{ from: -Infinity, to: undefined, name: 'Idle' }])
  const brief = [entry(1, 'r1 w workspace.create - Creating'), entry(2, 'r2 w workspace.delete Creating gone')]
  t.match(statesOf(brief), [{ from: timeOf(1), to: timeOf(2), name: 'Creating' }])
  t.equal(statesOf(brief)!.length, 1)
})

void t.test('requests have a lane if there are any', async (t) => {
  t.strictSame(requestLane([]), [])
  const requests = [
    request(1, 'r1', 200, 'pauseWorkspace'),
    request(2, 'r2', 404, null),
    request(3, 'r3', null, 'getWorkspace')
  ]
  const path = 'POST /controller/v4/v2/workgroups/main/workspaces/w 404'
  t.match(requestLane(requests)[0]!.items, [
    { from: timeOf(1), to: timeOf(1), name: 'pauseWorkspace 200', outcome: 'status-2xx', note: null, request: 'r1' },
    { from: timeOf(2), name: path, outcome: 'status-4xx', note: 'There is none.', request: 'r2' },
    { from: timeOf(3), name: 'getWorkspace lost', outcome: 'status-lost', note: null, request: 'r3' }
  ])
})

void t.test('an item has a description', async (t) => {
  const item = { from: timeOf(1), to: timeOf(3), name: 'Active', outcome: 'Active', note: null, request: undefined }
  t.equal(describe(item, timeOf(9)), 'Active: 2027-01-01 00:00:01, 2 s')
  t.equal(describe({ ...item, to: undefined, note: 'Why.' }, timeOf(9)), 'Active: 2027-01-01 00:00:01, 8 s; Why.')
  t.equal(describe({ ...item, to: item.from }, timeOf(9)), 'Active: 2027-01-01 00:00:01')
  t.equal(describe({ ...item, from: -Infinity }, timeOf(9)), 'Active: since before the timeline')
})
