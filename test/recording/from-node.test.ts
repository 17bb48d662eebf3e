import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { mask } from '../../src/lib/secrets.js'
import { openRecording, RecordingError, startMock } from '../../src/node/index.js'

const FAILED = "workgroups[].workspaces[?status=='Failed'][]"

void t.test('a program can inspect any moment of a recording', async (t) => {
  const record = t.testdir()
  const mock = await startMock({ record, transitions: 'realistic' })
  const box = mock.sandbox()
  await box.clock.freeze('2027-01-01T00:00:00Z')
  await box.transitions.replace([{ transition: 'workspace.create', outcome: 'fail', reason: 'no room' }])
  const { workgroup_id: workgroupID } = await box.call('createWorkgroup', {
    body: { name: 'main', cloud_provider_id: 'a' }
  })
  await box.clock.advance({ until: 'idle' })
  await box.call('createWorkspace', { workgroupID, body: { name: 'writer' } })
  const before = await box.state.read()
  await box.clock.advance({ until: 'idle' })
  const after = await box.state.read()
  const requests = await box.requests.list()
  await mock.close()

  const file = join(record, readdirSync(record)[0]!)
  const recording = await openRecording(file)
  const steps = []
  for await (const step of recording.steps()) steps.push(step)
  const last = steps.at(-1)!.step
  t.equal(steps.length, last)
  t.match(recording, { profile: 'built-in', options: { transitions: 'realistic' } })
  t.strictSame(await recording.state(last), mask(after))
  const idOf = (operation: string) => requests.requests.find((request) => request.operation === operation)!.request_id
  t.strictSame(await recording.state(idOf('createWorkspace')), mask(before))

  const found = await recording.find(FAILED)
  t.match(steps[found! - 1], { kind: 'event' })
  const [atFailure] = (await recording.state(found!)).workgroups!
  t.equal(atFailure!.workspaces![0]!.status, 'Failed')
  const differences = await recording.differences(found! - 1, found!)
  t.ok(differences.some(({ path, after }) => path.endsWith('.status') && after === 'Failed'))
  t.equal(await recording.find('workgroups'), steps.find(({ id }) => id === idOf('createWorkgroup'))!.step)
  t.equal(await recording.find('org'), 0)
  t.equal(await recording.find('nothing'), undefined)

  const none = { name: 'RecordingError' }
  await t.rejects(recording.state(last + 1), none)
  await t.rejects(recording.state('nobody'), none)
  await t.rejects(recording.find('a['), none)
  const damaged = join(record, 'damaged')
  writeFileSync(damaged, readFileSync(file).subarray(0, 20))
  for (const path of [damaged, join(record, 'none')]) {
    const openInTest = async () => openRecording(path)
    const error = (await openInTest().catch((error: unknown) => error)) as Error
    t.ok(error instanceof RecordingError)
    t.ok(error.message.startsWith(path))
    t.match(error.stack, /^RecordingError: .*\n {4}at openInTest /)
  }
  const findInTest = async () => recording.find('a[')
  t.match(await findInTest().catch((error: unknown) => error), { stack: /\n {4}at findInTest / })
  await t.rejects(openRecording(undefined as never), { name: 'TypeError', message: /^file must be / })
})
