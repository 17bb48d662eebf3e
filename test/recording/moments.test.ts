import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { toHar } from '../../src/fidelity/recorded.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { differencesOf } from '../../src/recording/difference.js'
import { conditionOf, queryOf } from '../../src/recording/expression.js'
import { Playback } from '../../src/recording/playback.js'
import { describeStep, recordingOf } from '../../src/recording/recording.js'

const FIRST = { svcmock: 1, version: '1.0.0', profile: 'built-in', sandbox: 'a', begun: '', options: {}, shapes: [] }

/** A recording with these lines after the first one. */
const recordingWith = (lines: readonly object[], manifest: object = {}) =>
  recordingOf(() => [{ ...FIRST, ...manifest }, ...lines].map((line) => JSON.stringify(line)))

const change = (step: number, id: string) => ({ step, kind: 'change', id, at: 0, changes: [] })
const event = (step: number, id: string) => ({
  ...change(step, id),
  kind: 'event',
  event: { kind: 'a', resource: 'w' }
})
const request = (step: number, id: string, more: object = {}) => ({
  step,
  kind: 'request',
  id,
  at: 0,
  received: 1000,
  replied: 1250,
  operation: null,
  method: 'GET',
  path: '/x',
  query: {},
  status: 200,
  ...more
})

void t.test('a playback refuses tables that differ from those of the recording', async (t) => {
  for (const shape of [
    { table: 'nothing', kind: 'insert', columns: [] },
    { table: 'workspaces', kind: 'insert', columns: ['id'] }
  ]) {
    const { manifest } = await recordingWith([], { version: '0.9.0', shapes: [shape] })
    await t.rejects(Playback.begin(manifest, BUILT_IN), { name: 'RecordingError', message: /0\.9\.0/ })
  }
})

void t.test('an expression is a condition: true, a number other than 0, or not empty', async (t) => {
  const document = {
    yes: true,
    no: false,
    zero: 0,
    one: 1,
    text: 'a',
    empty: '',
    list: [0],
    none: [],
    some: { a: 0 },
    nil: {}
  }
  for (const name of ['yes', 'one', 'text', 'list', 'some']) t.equal(conditionOf(name)(document), true, name)
  for (const name of ['no', 'zero', 'empty', 'none', 'nil', 'absent']) t.equal(conditionOf(name)(document), false, name)
  t.strictSame(queryOf('list[0]')(document), 0)
  for (const wrong of ['a[', 'a.', 'a[0].', 'a[?b].', 'a. | b'])
    t.throws(() => queryOf(wrong), { name: 'RecordingError', message: /expression/ }, wrong)
  t.throws(() => queryOf('length(one)')(document), { name: 'RecordingError', message: /expression/ })
})

void t.test('an expression sees the members of a document, and no inherited ones', async (t) => {
  const document = { group: { name: 'a', list: [1, 2] }, constructor: 'own', empty: {} }
  for (const name of ['__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
    t.equal(queryOf(`group.${name}`)(document), null, name)
    t.notOk(conditionOf(name)(document), name)
  }
  t.equal(queryOf('constructor')(document), 'own')
  t.equal(queryOf('group.constructor')(document), null)
  t.equal(queryOf('group.list.length')(document), null)
  t.same(queryOf('group')(document), document.group)
  t.ok(conditionOf('group && !empty && group.name == `"a"`')(document))
})

void t.test('a step is described in one line', async (t) => {
  for (const [step, text] of [
    [request(12, 'r', { method: 'PUT' }), '    12  1970-01-01T00:00:00.000Z  r  PUT /x 200'],
    [request(1, 'r', { status: null }), '     1  1970-01-01T00:00:00.000Z  r  GET /x no reply'],
    [event(2, 'r'), '     2  1970-01-01T00:00:00.000Z  r  event a of w'],
    [change(3, 'r'), '     3  1970-01-01T00:00:00.000Z  r  row changes: 0'],
    [{ step: 4, kind: 'reset', id: 'r', at: 1000 }, '     4  1970-01-01T00:00:01.000Z  r  reset'],
    [{ step: 5, kind: 'gap' }, '     5  something was not recorded here']
  ] as const)
    t.equal(describeStep(step as never), text)
})

void t.test('differences in a list are named by ids if all items have one, otherwise by index', async (t) => {
  for (const [before, after, differences] of [
    [1, 1, []],
    [1, 2, [{ path: '', before: 1, after: 2 }]],
    [
      { a: 1, b: { c: null } },
      { b: { c: 1 } },
      [
        { path: 'a', before: 1 },
        { path: 'b.c', before: null, after: 1 }
      ]
    ],
    [{}, { a: [] }, [{ path: 'a', after: [] }]],
    [{ a: [1, 2] }, { a: [1] }, [{ path: 'a[1]', before: 2 }]],
    [{ a: [] }, { a: {} }, [{ path: 'a', before: [], after: {} }]],
    [{ a: {} }, { a: [] }, [{ path: 'a', before: {}, after: [] }]],
    [{ a: {} }, { a: null }, [{ path: 'a', before: {}, after: null }]],
    [{ a: 'x' }, { a: { b: 1 } }, [{ path: 'a', before: 'x', after: { b: 1 } }]],
    [[{ id: 'x', v: 1 }, { id: 'y' }], [{ id: 'y' }, { id: 'x', v: 2 }], [{ path: '[x].v', before: 1, after: 2 }]],
    [[{ id: 'x' }], [], [{ path: '[x]', before: { id: 'x' } }]],
    [[{ id: 'x' }], [{ id: 7 }], [{ path: '[0].id', before: 'x', after: 7 }]],
    [
      [
        { id: 'x', of: 'a', n: 1 },
        { id: 'x', of: 'b' }
      ],
      [
        { id: 'x', of: 'a', n: 2 },
        { id: 'x', of: 'b' }
      ],
      [{ path: '[0].n', before: 1, after: 2 }]
    ],
    [[null], [{ id: 'x' }], [{ path: '[0]', before: null, after: { id: 'x' } }]]
  ] as const)
    t.strictSame(differencesOf(before, after), differences, JSON.stringify([before, after]))
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      t.strictSame(differencesOf(one, structuredClone(one)), [])
      // JSON has no -0.
      const [before, after] = JSON.parse(JSON.stringify([one, other])) as [unknown, unknown]
      t.equal(differencesOf(before, after).length === 0, isDeepStrictEqual(before, after))
    })
  )
})

void t.test('the HAR of a recording has its requests, and nothing else', async (t) => {
  const recording = await recordingWith([
    change(1, 'a'),
    request(2, 'a', {
      method: 'POST',
      path: '/x/y',
      query: { q: ['1', '2'], r: 'a b' },
      body: { n: 'ü' },
      reply: 'é',
      trace: 't'
    }),
    event(3, 'a'),
    request(4, 'b', { status: null, received: 5, replied: 4, retry_after: 3 }),
    request(5, 'c', { method: 'PUT', body_omitted: true })
  ])
  let text = ''
  for await (const line of toHar(recording)) text += line
  const { log } = JSON.parse(text) as { log: { entries: object[] } }
  t.match(log, { version: '1.2', creator: { name: 'svc-mock', version: /^\d/ } })
  t.match(log.entries, [
    {
      startedDateTime: '1970-01-01T00:00:01.000Z',
      time: 250,
      request: {
        method: 'POST',
        url: 'http://svc-mock.test/x/y?q=1&q=2&r=a+b',
        queryString: ['1', '2', 'a b'].map((value, index) => ({ name: index < 2 ? 'q' : 'r', value })),
        postData: { mimeType: 'application/json', text: '{"n":"ü"}' }
      },
      response: { status: 200, content: { size: 4, mimeType: 'application/json', text: '"é"' } },
      _requestId: 'a',
      _traceId: 't',
      _step: 2
    },
    {
      time: 0,
      request: { url: 'http://svc-mock.test/x' },
      response: { status: 0, headers: [{ name: 'retry-after', value: '3' }], content: { text: '' } },
      _step: 4
    },
    { request: { postData: { _omitted: true } }, response: { content: { size: -1, _omitted: true } }, _step: 5 }
  ])
  t.notOk('postData' in (log.entries[1] as { request: object }).request)
})

void t.test('a file that is not a recording, or a damaged one, is refused with the line and the problem', async (t) => {
  const read = async (...texts: string[]) => {
    for await (const line of (await recordingOf(() => texts)).lines()) if (line.kind === 'end') return
  }
  const first = JSON.stringify(FIRST)
  await read(first, '{"kind":"end"}')
  for (const [problem, ...texts] of [
    [/empty/],
    [/not a recording/, ''],
    [/not a recording/, 'text'],
    [/not a recording/, 'null'],
    [/not a recording/, '5'],
    [/not a recording/, '{"svcmock":"1"}'],
    [/newer.*9\.9/, '{"svcmock":2,"version":"9.9"}'],
    [/damaged: line 1: version /, '{"svcmock":1}'],
    [/damaged: line 1: svcmock /, first.replace('"svcmock":1', '"svcmock":0')],
    [/damaged: line 2 is not JSON/, first, '{'],
    [/damaged: line 2 is not JSON/, first, '', '{"kind":"end"}'],
    [/damaged: line 2 is not JSON/, first, '7'],
    [/damaged: line 2: kind is unknown/, first, '{"kind":"other"}'],
    [/damaged: line 2: \S+ /, first, '{"kind":"checkpoint"}'],
    [/damaged: line 2: retry_after /, first, JSON.stringify(request(1, 'a', { retry_after: '1' }))],
    [/damaged: line 3: step 1 does not follow step 1/, first, '{"step":1,"kind":"gap"}', '{"step":1,"kind":"gap"}'],
    [/damaged: line 3: step 1 does not follow step 2/, first, '{"step":2,"kind":"gap"}', '{"step":1,"kind":"gap"}']
  ] as const)
    await t.rejects(read(...texts), { name: 'RecordingError', message: problem }, JSON.stringify(texts.slice(-1)))
  await t.rejects(read(first, '{'), { cause: { name: 'SyntaxError' } })
})
