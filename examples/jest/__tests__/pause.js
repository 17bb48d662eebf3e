const { startMock } = require('svc-mock')

let mock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

test('a workspace that is paused is Stopped after some minutes', async () => {
  const box = mock.sandbox()
  await box.seed({ workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }] }] })
  const writer = { workgroupID: 'main', workspaceID: 'writer' }
  await box.call('pauseWorkspace', writer)
  await box.clock.advance({ until: 'idle' })
  expect(await box.call('getWorkspace', writer)).toMatchObject({ status: 'Stopped' })
  await expect(box.call('pauseWorkspace', { ...writer, workspaceID: 'none' })).rejects.toMatchObject({ status: 404 })
})
