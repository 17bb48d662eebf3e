import { readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { demoState } from '../../src/documents/demo.js'
import type { PreparedState } from '../../src/documents/schemas.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { CHECKPOINT_EVERY } from '../../src/recording/file-recorder.js'
import { firstStep } from '../../src/recording/moments.js'
import { Playback } from '../../src/recording/playback.js'
import { openRecording } from '../../src/recording/recording.js'
import { type Body, buildMock, jsonLines, replaceMethod, until } from '../helper.js'
import { logLines } from '../log-lines.js'
import { callsOf, openSandbox, type TestSandbox } from '../sandbox.js'
import { ALL_OTHER_WORDS } from '../under-words.js'
import { holdWall } from '../wall.js'
import { pathsIn, readWhole, recorded, stop } from './recordings.js'

void t.test('each sandbox is recorded in its own file, which any tool can read', async (t) => {
  const record = join(t.testdir(), 'new', 'directory')
  const mock = await buildMock(t, { record, demo: true, transitions: 'realistic', controlToken: 'hunter2' })
  mock.plane.baseline = demoState(mock.plane.profile.catalogue)
  const headers = { 'x-mock-token': 'hunter2' }
  for (const key of ['a', 'b']) await mock.call('GET', '/workgroups', { key })
  await mock.call('POST', '/workgroups', { key: 'a', body: { cloud_provider_id: 'x' } })
  await mock.call('PUT', '/clock', { key: 'a', prefix: '/_mock', headers, body: { mode: 'frozen' } })
  await stop(mock)
  const paths = pathsIn(record)
  t.equal(paths.length, 2)
  const text = gunzipSync(readFileSync(paths[0]!)).toString()
  t.notMatch(text, 'hunter2', 'options are shown without secrets')
  const [manifest, first, ...lines] = jsonLines(text)
  t.match(manifest, { svcmock: 1, profile: 'built-in', options: { demo: true, transitions: 'realistic' } })
  t.match(first, { kind: 'state', state: { workgroups: [{ name: 'demo' }] } })
  const kinds = lines.map(({ kind, operation }) => operation ?? kind)
  t.strictSame(kinds, ['checkpoint', 'listWorkgroups', 'change', 'createWorkgroup', 'change', 'setClock', 'end'])
  const { steps, states } = await readWhole(paths[0]!)
  t.match(steps[2], { kind: 'request', method: 'POST', status: 200, reply: { Result: {} } })
  t.match(steps[4], { kind: 'request', operation: 'setClock', control: true })
  t.notOk('control' in steps[2]!)
  const moments = states.map((state) => [state!.workgroups!.length, state!.clock!.mode])
  t.strictSame(moments, [
    [2, 'real'],
    [3, 'real'],
    [3, 'real'],
    [3, 'frozen'],
    [3, 'frozen']
  ])
})

void t.test('secrets are masked, in requests as in rows', async (t) => {
  let hash = ''
  const path = await recorded(t, async (b) => {
    const workgroup = await b.createWorkgroup()
    const { workspace_id: id } = await b.createActive(workgroup)
    const users = `/workgroups/${workgroup}/workspaces/${id as string}/dbuser`
    await b.result('POST', users, { username: 'u', password: 'hunter2-hunter2' })
    const state = await b.controlResult('GET', '/state')
    await b.controlResult('PUT', '/state', state)
    hash = state.workgroups[0].workspaces[0].users[0].password_hash as string
  })
  const text = gunzipSync(readFileSync(path)).toString()
  t.notMatch(text, 'hunter2')
  t.notOk(text.includes(hash))
  const { states } = await readWhole(path)
  t.match(states.at(-1), { workgroups: [{ workspaces: [{ users: [{ username: 'u', password_hash: '***' }] }] }] })
})

void t.test('1,000 requests on the demo data take less than 200 KB, with regular checkpoints', async (t) => {
  const live = async ({ createWorkgroup, result, call }: TestSandbox) => {
    for (let i = 0; i < 100; i++) {
      const group = `/workgroups/${await createWorkgroup()}`
      const { workspace_id: id } = await result('POST', `${group}/workspaces`, {})
      const path = `${group}/workspaces/${id as string}`
      for (let read = 0; read < 6; read++) await call('GET', path)
      await call('POST', `${path}/pause`)
      await call('DELETE', path)
    }
  }
  const path = await recorded(t, live, { demo: true })
  const { size } = statSync(path)
  t.ok(size < 200_000, `${size} bytes`)
  const { steps, lines } = await readWhole(path)
  t.equal(steps.filter((step) => step.kind === 'request' && step.control !== true).length, 1000)
  let since = 0
  for (const line of lines) {
    if (line.kind === 'checkpoint') since = 0
    else if ('changes' in line) since += line.changes.length
    if (since > 2 * CHECKPOINT_EVERY) t.fail('a checkpoint is missing')
  }
})

void t.test('a replacement in slices and a move that is undone are recorded completely', async (t) => {
  let live: Body
  const path = await recorded(
    t,
    async (b) => {
      await b.controlResult('PUT', '/state', {
        workgroups: [{ id: 'g', workspaces: Array.from({ length: 1500 }, (_, i) => ({ id: `w-${i}` })) }]
      })
      await b.setRules({ transition: 'workspace.pause', outcome: 'hold' })
      await b.result('POST', '/workgroups/g/workspaces/w-7/pause')
      const refused = await b.control('POST', '/clock/advance', { until: { workspace_id: 'w-7', status: 'Paused' } })
      t.equal(refused.status, 400)
      await b.result('DELETE', '/workgroups/g/workspaces/w-8')
      live = await b.controlResult('GET', '/state')
    },
    { demo: true }
  )
  const { steps, states } = await readWhole(path)
  t.ok(steps.some(({ kind }) => kind === 'import'))
  t.same(states.at(-1)!.workgroups, live.workgroups)
  t.same(states.at(-1)!.events, live.events)
})

void t.test('only the newest recordings are kept, and other files stay', async (t) => {
  const record = t.testdir({ 'mine.svcmock': '', 'notes.txt': '' })
  const wall = holdWall(t)
  for (let run = 0; run < 5; run++) {
    wall.now += 1000
    const mock = await buildMock(t, { record, recordKeep: 3 })
    await mock.call('GET', '/workgroups')
    await stop(mock)
  }
  const names = pathsIn(record).map((path) => path.slice(record.length + 1).slice(0, 18))
  t.strictSame(names, ['20260101T000003000', '20260101T000004000', '20260101T000005000', 'mine.svcmock', 'notes.txt'])
})

void t.test('when a recording cannot be written, the server goes on, says so once, and marks the gap', async (t) => {
  const base = t.testdir({ record: {} })
  const record = join(base, 'record')
  const { lines: warnings, logger } = logLines('warn')
  const machine = { now: 0 }
  replaceMethod(t, performance, 'now', () => machine.now)
  const mock = await buildMock(t, { record }, logger)
  const { result } = callsOf(mock, 'a')
  const create = () => result('POST', '/workgroups', { cloud_provider_id: 'account' })
  await create()
  await until(() => pathsIn(record).length === 1 && statSync(pathsIn(record)[0]!).size > 0)
  renameSync(record, join(base, 'elsewhere'))
  await create()
  await until(() => warnings.length > 0)
  await create()
  renameSync(join(base, 'elsewhere'), record)
  machine.now += 60_000
  await create()
  await stop(mock)
  t.equal(warnings.length, 1)
  const { steps, states } = await readWhole(pathsIn(record)[0]!)
  const numbered = steps.map(({ step, kind }) => `${step} ${kind}`)
  t.strictSame(
    numbered,
    ['1 change', '2 request', '5 gap', '6 change', '7 request'],
    'steps after the loss are not counted'
  )
  t.equal(states.at(-1)!.workgroups!.length, 4)
  const recording = await openRecording(pathsIn(record)[0]!)
  const after = (count: number) => firstStep(recording, BUILT_IN, ({ workgroups }) => workgroups!.length === count)
  t.strictSame(await after(0), 'beginning')
  t.match(await after(1), { step: 1 })
  t.match(await after(3), { step: 5, kind: 'gap' }, 'what happened in a gap holds after it')
  t.match(await after(4), { step: 6 })
})

void t.test('a directory that cannot be created is an error of the option', async (t) => {
  const base = t.testdir({ file: '' })
  await t.rejects(buildMock(t, { record: join(base, 'file', 'deeper') }), { name: 'OptionError' })
})

void t.test(
  'a recording ends with its sandbox, and the next one has another name, even at the same time',
  async (t) => {
    const record = t.testdir()
    holdWall(t)
    const mock = await buildMock(t, { record, auth: 'strict', apiKeys: ['../ci=secret'] })
    const { call, control } = callsOf(mock, 'secret')
    for (let time = 0; time < 3; time++) {
      await call('GET', '/workgroups')
      await control('DELETE', '/sandboxes')
    }
    await stop(mock)
    t.strictSame(
      pathsIn(record).map((path) => path.slice(record.length + 1)),
      ['-2', '-3', ''].map((number) => `20260101T000000000Z-.._ci${number}.svcmock`)
    )
    for (const path of pathsIn(record)) t.equal((await readWhole(path)).lines.at(-1)!.kind, 'end')
  }
)

void t.test('a server without a journal is recorded, too, without secrets', async (t) => {
  const record = t.testdir()
  const mock = await buildMock(t, { record, journalRequests: 0 })
  await mock.call('POST', '/workgroups', { body: { cloud_provider_id: 'x', password: 'hunter2' } })
  await stop(mock)
  const [path] = pathsIn(record)
  t.notMatch(gunzipSync(readFileSync(path!)).toString(), 'hunter2')
  const { steps, states } = await readWhole(path!)
  t.match(steps, [{ kind: 'change' }, { kind: 'request' }])
  t.equal(steps.length, 2)
  t.equal(states.at(-1)!.workgroups!.length, 1)
})

void t.test(
  "a recording is read under its server's profile, in that profile's words, and under no other",
  async (t) => {
    const record = t.testdir()
    const profile = { ...ALL_OTHER_WORDS, name: 'other-words' }
    const mock = await buildMock(t, { record, profile })
    const { plane, app } = mock
    const headers = { 'x-api-key': 'a' }
    await app.inject({ method: 'PUT', url: '/_mock/state', headers, payload: { workgroups: [{ workspaces: [{}] }] } })
    const { Result: state } = (await app.inject({ url: '/_mock/state', headers })).json<{ Result: PreparedState }>()
    await stop(mock)
    const [path] = pathsIn(record)
    const recording = await openRecording(path!)
    await t.rejects(Playback.begin(recording.manifest, BUILT_IN), { name: 'RecordingError' })
    const playback = await Playback.begin(recording.manifest, plane.profile)
    for await (const line of recording.lines()) playback.apply(line)
    t.same(playback.state!.workgroups, state.workgroups)
    t.equal(playback.state!.profile, 'other-words')
    playback.close()
  }
)

void t.test('the key of a fork is in no recording and no record', async (t) => {
  const record = join(t.testdir(), 'recordings')
  const mock = await buildMock(t, { record })
  const b = await openSandbox(mock)
  const reply = await b.control('POST', '/sandboxes', { from: 'baseline' })
  const { key } = reply.body.Result as { key: string }
  t.match(key, /^fork_/)
  // A caller may put it anywhere.
  await b.call('GET', `/workgroups/${key}`)
  await b.call('POST', '/workgroups', { cloud_provider_id: 'x', workgroup_name: `of ${key}` })
  await b.control('POST', '/requests/verify', { method: 'GET', path: `/${key}` })
  const { body: list } = await b.control('GET', '/requests')
  const records = (list.Result as { requests: { request_id: string }[] }).requests
  t.ok(records.length > 1)
  const shown = [list]
  for (const { request_id } of records) shown.push((await b.control('GET', `/requests/${request_id}`)).body)
  for (const path of ['/recording', '/recording/steps']) shown.push((await b.control('GET', path)).body)
  t.notMatch(JSON.stringify(shown), key)
  await stop(mock)
  for (const path of pathsIn(record)) t.notMatch(gunzipSync(readFileSync(path)).toString(), key)
})

void t.test('only its owner can read a recording, and a long sandbox name is shortened', async (t) => {
  const record = t.testdir()
  const names = ['a', 'b'].map((last) => 'n'.repeat(250) + last)
  const mock = await buildMock(t, {
    record,
    auth: 'strict',
    apiKeys: names.map((name, index) => `${name}=key${index}`)
  })
  for (const index of names.keys()) await mock.call('GET', '/workgroups', { key: `key${index}` })
  await stop(mock)
  const paths = pathsIn(record)
  t.equal(paths.length, 2)
  for (const path of paths) t.equal(statSync(path).mode & 0o777, 0o600)
  for (const path of paths) t.ok(names.includes((await openRecording(path)).manifest.sandbox))
})
