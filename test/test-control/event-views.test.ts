import t, { type Test } from 'tap'
import type { RawChange, Row, RowChange } from '../../src/db/row-watcher.js'
import { CHANGE_LIMIT, toEventView } from '../../src/test-control/stream/views.js'
import { type Body, buildMock } from '../helper.js'
import { at, openSandbox, START } from '../sandbox.js'

/** Shows a write that has made some changes, as a listener is told it. */
async function open(t: Test) {
  const { mock, sandbox } = await openSandbox(await buildMock(t))
  const plane = { ...mock.plane, describeChange: (change: unknown) => change as RowChange }
  return (changes: readonly RowChange[] | undefined): Body =>
    toEventView(plane, sandbox, { kind: 'state', changes: changes as unknown as readonly RawChange[] | undefined })
}

const insert = (table: string, after: Row): RowChange => ({ table, change: 'insert', before: undefined, after })
const remove = (table: string, before: Row): RowChange => ({ table, change: 'delete', before, after: undefined })
const update = (table: string, before: Row, after: Row): RowChange => ({ table, change: 'update', before, after })

const group = (id: string, name = id) => ({ id, name, platform: 'aws', region: 'us-east-1', sandbox: 1 })
const shown = (id: string, name = id) => ({ workgroup_id: id, name, platform: 'aws', region: 'us-east-1' })
const NONE = { workgroups: [], databases: [], workspaces: [] }

void t.test('a row that has changed several times is told once, as it is in the end', async (t) => {
  const view = await open(t)
  t.strictSame(
    view([
      insert('workgroups', group('kept')),
      update('workgroups', group('kept'), group('kept', 'new name')),
      insert('workgroups', group('gone')),
      remove('workgroups', group('gone')),
      remove('workgroups', group('replaced')),
      insert('workgroups', group('replaced')),
      insert('databases', { id: 'd', workgroup: 'kept', name: 'Data', sandbox: 1 }),
      remove('databases', { id: 'e', workgroup: 'kept', name: 'Other', sandbox: 1 })
    ]),
    {
      at: at(0),
      complete: true,
      tables: ['workgroups', 'databases'],
      changed: {
        workgroups: [shown('kept', 'new name'), shown('replaced')],
        databases: [{ database_id: 'd', workgroup_id: 'kept', name: 'Data' }],
        workspaces: []
      },
      removed: { workgroups: ['gone'], databases: ['e'], workspaces: [] },
      timeline: []
    }
  )
})

void t.test('of the timeline, only what has come is told, and not what has made room for it', async (t) => {
  const view = await open(t)
  const row = (resource: string) => ({ at: START, resource, transition: 'workspace.pause', attribute: 'status' })
  const { timeline, tables } = view([
    insert('timeline', row('new')),
    remove('timeline', row('old')),
    insert('quotas', { name: 'rw_workspaces', maximum: 1 })
  ])
  t.strictSame(
    (timeline as Body[]).map(({ resource_id: id }) => id as string),
    ['new']
  )
  t.strictSame(tables, ['timeline', 'quotas'])
})

void t.test('as many changes as there may be are told, and of more than that only that there were some', async (t) => {
  const view = await open(t)
  const groups = Array.from({ length: CHANGE_LIMIT + 1 }, (_, i) => insert('workgroups', group(`g${i}`)))
  const most = view(groups.slice(1))
  t.equal(most.complete, true)
  t.equal(most.changed.workgroups.length, CHANGE_LIMIT)
  for (const changes of [groups, undefined])
    t.strictSame(view(changes), { at: at(0), complete: false, tables: [], changed: NONE, removed: NONE, timeline: [] })
})
