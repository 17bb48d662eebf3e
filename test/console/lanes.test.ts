import t from 'tap'
import type { RequestSummary, TimelineItem, Workspace } from '../../src/console/api/types.js'
import { describe, sandboxLanes, statesOf, workspaceLanes } from '../../src/console/model/lanes.js'

const timeOf = (second: number) => Date.parse(at(second))
const at = (second: number) => `2027-01-01T00:00:${String(second).padStart(2, '0')}.000Z`

function entry(
  second: number,
  resource: string,
  transition: string,
  from: string | null,
  to: string,
  request: string,
  reason: string | null = null
): TimelineItem {
  return {
    at: at(second),
    resource_id: resource,
    transition,
    attribute: 'status',
    from,
    to,
    reason,
    request_id: request
  }
}

const workspace = (id: string, status: string): Workspace => ({
  workspace_id: id,
  workgroup_id: 'main',
  database_id: 'd',
  name: id.toUpperCase(),
  status,
  refresh_status: '',
  workspace_type_name: 'SVC-1',
  svc_version: '4',
  is_rw: true,
  host: ''
})

const request = (second: number, id: string, status: number | null, operation: string | null): RequestSummary => ({
  request_id: id,
  at: at(second),
  received: at(second),
  operation,
  method: 'POST',
  path: '/controller/v4/v2/workgroups/main/workspaces/w',
  status,
  duration_ms: 1,
  condition: null,
  error: status === 404 ? 'There is none.' : null,
  unread: [],
  fault: null
})

void t.test('each workspace has a lane, deleted ones last, and backups and restore jobs have none', async (t) => {
  const timeline = [
    entry(1, 'gone', 'workspace.delete', 'Active', 'Terminating', 'r1'),
    entry(2, 'gone', 'workspace.delete', 'Terminating', 'gone', 'r1'),
    entry(3, 'backup-1', 'backup.run', null, 'Running', 'r2'),
    { ...entry(3, 'w', 'workspace.refresh', 'Refreshed', 'Refreshing', 'r3'), attribute: 'refresh_status' }
  ]
  const due = { due: at(9), held: false, event: 'workspace.pause', resource_id: 'w', request_id: 'r4' }
  t.match(workspaceLanes([workspace('w', 'Active'), workspace('x', 'Idle')], timeline, [due]), [
    { id: 'w', name: 'W', status: 'Active', changes: [], due: [due] },
    { id: 'x', name: 'X', status: 'Idle', changes: [], due: [] },
    { id: 'gone', name: 'gone', status: undefined, changes: timeline.slice(0, 2), due: [] }
  ])
})

void t.test('states follow each other, from what was before to what goes on', async (t) => {
  const lane = (changes: TimelineItem[], status: string | undefined) => ({
    ...workspaceLanes([workspace('w', '')], changes, [])[0]!,
    status
  })
  const paused = [
    entry(1, 'w', 'workspace.pause', 'Active', 'Pausing', 'r1'),
    entry(2, 'w', 'workspace.pause', 'Pausing', 'Stopped', 'r1')
  ]
  t.match(statesOf(lane(paused, 'Stopped')), [
    { from: -Infinity, to: timeOf(1), name: 'Active', request: undefined },
    { from: timeOf(1), to: timeOf(2), name: 'Pausing', request: 'r1' },
    { from: timeOf(2), to: undefined, name: 'Stopped', request: 'r1' }
  ])
  t.match(statesOf(lane(paused, 'Stopped'), 5)[0], { from: 5 }, 'before the loaded timeline, nothing is known')
  t.match(statesOf(lane([], 'Idle')), [{ from: -Infinity, to: undefined, name: 'Idle' }])
  t.strictSame(statesOf(lane([], undefined)), [])
  const brief = [
    entry(1, 'w', 'workspace.create', null, 'Creating', 'r1'),
    entry(2, 'w', 'workspace.delete', 'Creating', 'gone', 'r2')
  ]
  t.match(statesOf(lane(brief, undefined)), [{ from: timeOf(1), to: timeOf(2), name: 'Creating' }])
  t.equal(statesOf(lane(brief, undefined)).length, 1)
})

void t.test('requests, backups and restore jobs have lanes if there are any', async (t) => {
  t.strictSame(sandboxLanes([], [], String), [])
  const requests = [
    request(1, 'r1', 200, 'pauseWorkspace'),
    request(2, 'r2', 404, null),
    request(3, 'r3', null, 'getWorkspace')
  ]
  const timeline = [
    entry(1, 'backup-1', 'backup.run', null, 'Running', 'r1'),
    entry(2, 'backup-1', 'backup.run', 'Running', 'Failed', 'r1', 'Disk full.'),
    entry(3, 'backup-2', 'backup.run', null, 'Running', 'unknown'),
    { ...entry(3, 'v', 'backup.run', 'due', 'skipped', 'r1'), attribute: 'firing' },
    entry(4, 'v', 'restore.run', 'Active', 'Restoring', 'r4'),
    entry(4, 'job-1', 'restore.run', null, 'Pending', 'r4'),
    entry(5, 'job-1', 'restore.run', 'Pending', 'Running', 'r4'),
    entry(6, 'job-1', 'restore.run', 'Running', 'Succeeded', 'r4'),
    entry(6, 'v', 'restore.run', 'Restoring', 'Active', 'r4')
  ]
  t.strictSame(
    sandboxLanes(requests, timeline, (id) => id.toUpperCase()).map(({ name, items }) => [name, items]),
    [
      [
        'Requests',
        [
          { from: timeOf(1), to: timeOf(1), name: 'pauseWorkspace 200', outcome: '2xx', note: null, request: 'r1' },
          {
            from: timeOf(2),
            to: timeOf(2),
            name: 'POST /controller/v4/v2/workgroups/main/workspaces/w 404',
            outcome: '4xx',
            note: 'There is none.',
            request: 'r2'
          },
          { from: timeOf(3), to: timeOf(3), name: 'getWorkspace lost', outcome: 'lost', note: null, request: 'r3' }
        ]
      ],
      [
        'Backups',
        [
          {
            from: timeOf(1),
            to: timeOf(2),
            name: 'Backup of W: Failed',
            outcome: 'Failed',
            note: 'Disk full.',
            request: 'r1'
          },
          {
            from: timeOf(3),
            to: undefined,
            name: 'Backup: Running',
            outcome: 'Running',
            note: null,
            request: 'unknown'
          }
        ]
      ],
      [
        'Restore jobs',
        [
          {
            from: timeOf(4),
            to: timeOf(6),
            name: 'Restore job of V: Succeeded',
            outcome: 'Succeeded',
            note: null,
            request: 'r4'
          }
        ]
      ]
    ]
  )
})

void t.test('an item is told in words', async (t) => {
  const item = { from: timeOf(1), to: timeOf(3), name: 'Active', outcome: 'Active', note: null, request: undefined }
  t.equal(describe(item, timeOf(9)), 'Active: 2027-01-01 00:00:01, 2 s')
  t.equal(describe({ ...item, to: undefined, note: 'Why.' }, timeOf(9)), 'Active: 2027-01-01 00:00:01, 8 s; Why.')
  t.equal(describe({ ...item, to: item.from }, timeOf(9)), 'Active: 2027-01-01 00:00:01')
  t.equal(describe({ ...item, from: -Infinity }, timeOf(9)), 'Active: before all that is shown')
})
