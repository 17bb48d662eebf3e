import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { cutAt, formatTables, printable } from '../../src/cli/table.js'
import type { TableFace as Table } from '../../src/test-control/control-call.js'
import { openCtl } from './ctl.js'

const TABLE: Table = { what: 'things', columns: { ID: 'id', NAME: 'name', SIZE: 'size' } }
const ROWS = [
  { id: 'a', name: 'A long name, longer than others', size: 5 },
  { id: 'bcd', name: null, size: { min: 1 }, more: true }
]

void t.test('a table has a column for each field, as wide as its widest cell', async (t) => {
  t.strictSame(formatTables(ROWS, [TABLE], 80).split('\n'), [
    'ID   NAME                             SIZE',
    'a    A long name, longer than others  5',
    'bcd  -                                {"min":1}'
  ])
  t.equal(formatTables([{ size: { min: 1 } }, {}], [{ what: 'x', columns: { SIZE: 'size.min' } }], 80), 'SIZE\n1\n-')
  t.equal(formatTables([{ ids: ['a', 'b'] }], [{ what: 'x', columns: { IDS: 'ids' } }], 80), 'IDS\na, b')
  t.equal(formatTables({}, [{ ...TABLE, list: 'others' }], 80), 'No things.')
})

void t.test('on a narrow terminal, ids are shortened, and the last column wraps', async (t) => {
  const id = '0a1b2c3d-0000-4000-8000-000000000000'
  const table: Table = { what: 'things', columns: { ID: 'id', MESSAGE: 'says' } }
  const linesAt = (width: number, says: string) => formatTables([{ id, says }], [table], width).split('\n')
  t.equal(linesAt(80, 'one two three')[1], `${id}  one two three`)
  t.strictSame(linesAt(40, `${id}, or a message that is long`), [
    'ID         MESSAGE',
    '0a1b2c3d…  0a1b2c3d…, or a message that',
    '           is long'
  ])
  t.strictSame(linesAt(30, 'a'.repeat(20)).slice(1), ['0a1b2c3d…  aaaaaaaaaaaaaaaaaaa', '           a'])
  t.strictSame(linesAt(20, 'one two three').slice(1), ['0a1b2c3d…  one two three'], 'no room to wrap in')
})

void t.test('states have colours, which change no width', async (t) => {
  const table: Table = { what: 'x', columns: { STATUS: 'status', NAME: 'name' } }
  const rows = ['Active', 'Resuming', 'Failed', 'Stopped', 500].map((status) => ({ status, name: 'Active' }))
  const colored = formatTables(rows, [table], 80, true)
  t.strictSame(colored.split('\n').slice(1), [
    '\u001b[32mActive\u001b[0m    Active',
    '\u001b[33mResuming\u001b[0m  Active',
    '\u001b[31mFailed\u001b[0m    Active',
    'Stopped   Active',
    '\u001b[31m500\u001b[0m       Active'
  ])
  t.equal(stripVTControlCharacters(colored), formatTables(rows, [table], 80))
})

void t.test('text of a server cannot control the terminal, or start a line', async (t) => {
  t.equal(printable('a\u001b[2Jb\nc\u0085d\u2028e'), 'a [2Jb c d e')
  t.equal(formatTables([{ id: 'a\nb' }], [{ what: 'x', columns: { ID: 'id' } }], 80), 'ID\na b')
  t.strictSame([cutAt('abc', 3), cutAt('abc', 2), cutAt('abc', 0)], ['abc', 'a…', '…'])
})

void t.test('on a terminal, lists are tables and other results JSON; with --json, everything is JSON', async (t) => {
  const { mock, result, onTerminal } = await openCtl(t, { controlToken: 't0ken' })
  const show = async (...args: string[]) => (await onTerminal(...args, '--token', 't0ken')).out.split('\n')
  t.strictSame(await show('snapshot', 'list'), ['No snapshots.'])
  await mock.sandbox('ctl').seed({
    clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
    workgroups: [{ id: 'main', name: 'Main', workspaces: [{ id: 'w', name: 'Writer', status: 'Resuming' }] }]
  })
  t.match(await show('workspaces'), [/^ID +NAME +STATUS +TYPE +WRITES +WORKGROUP$/, /^w +Writer +Resuming .* main$/])
  t.match(await show('events'), [/^DUE +EVENT /, /^2027-01-01T00:00:0\S+ +workspace\.resume +w +false /])
  t.match(await show('transitions', 'set', '[{"transition": "workspace.resume"}]'), [/^\{$/])
  t.match(await show('transitions'), [/^RULE /, /^workspace\.resume /, '', /^TRANSITION +MIN MS +MAX MS$/])
  t.match(await show('clock'), ['{', '  "mode": "frozen",'])
  t.strictSame(await show('reset'), ['The sandbox was reset.'])
  await mock.sandbox('ctl').clock.advance({ until: 'idle' })
  t.equal((await show('timeline', '--limit', '1')).length, 2)
  t.match(await show('timeline'), [/^AT +RESOURCE +TRANSITION +FROM +TO +REASON$/, /^2027-\S+ +w +workspace\.resume +/])

  const { url, headers } = mock.sandbox('ctl')
  await fetch(`${url}/controller/v4/v2/workgroups/none`, { headers })
  t.match(await show('requests'), [
    /^RECEIVED +METHOD +PATH +STATUS +MS +OPERATION +REQUEST$/,
    /^2\S+Z +GET +\/controller\/v4\/v2\/workgroups\/none +404 +\d+ +getWorkgroup +\S+$/
  ])
  await show('fault', 'add', '{"operation": "getWorkspace", "effect": {"status": 503}}')
  t.match(await show('fault', 'list'), [
    /^ID +OPERATION /,
    /^fault-1 +getWorkspace +before +- +0 +0 +\{"status":503\}$/
  ])
  t.match(await show('coverage'), [/^WHAT +EXERCISED +TOTAL$/, /^operations +1 +38$/])
  t.match(await show('coverage', '--format', 'junit'), [/^<\?xml/])
  t.match(await show('report'), ['No findings.', '', /^LEFT +IDS +MESSAGE$/, /^running-workspaces +w +\S/])
  t.match(await show('sandboxes', '--limit', '1'), [/^ID +NAME +WORKGROUPS /, /^[0-9a-f]{12} +- +1 +1 /])
  await mock.sandbox().reset()
  t.match((await show('sandboxes', '--limit', '1')).at(-1), /^There are 2; for the next ones, use --after \d+\.$/)

  const { requests } = JSON.parse((await show('requests', '--json')).join('\n'))
  t.match(requests, [{ status: 404 }])
  const piped = await result('requests', '--token', 't0ken')
  t.strictSame(piped, { requests, total: 1, dropped: 0 }, 'what is piped is JSON')
})

void t.test('a list counts the requests that the journal has dropped', async (t) => {
  const { mock, onTerminal } = await openCtl(t, { journalRequests: 2 })
  const { url, headers } = mock.sandbox('ctl')
  for (let i = 0; i < 3; i++) await fetch(`${url}/controller/v4/v2/workgroups`, { headers })
  t.match(await onTerminal('requests'), { code: 0, out: /\nOlder requests no longer kept: 1\.$/ })
})
