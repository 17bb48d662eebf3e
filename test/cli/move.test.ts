import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { type Mock, startMock, type StateDocument } from '../../src/node/index.js'
import { MAIN } from '../helper.js'

// The commands of docs/containers.md.

const WORLD: StateDocument = {
  clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
  workgroups: [{ id: 'main', workspaces: [{ id: 'writer' }, { id: 'reader' }] }]
}

const pause = (mock: Mock, key: string, workspace: string) =>
  mock.sandbox(key).call('pauseWorkspace', { workgroupID: 'main', workspaceID: workspace })

const sh = (line: string) =>
  promisify(execFile)('sh', ['-c', line.replaceAll('svc-mock ', `'${process.execPath}' '${MAIN}' `)])

void t.test('a sandbox can move to another instance, and continues there', async (t) => {
  await using from = await startMock()
  await using to = await startMock()
  for (const mock of [from, to]) await mock.sandbox('theirs').seed(WORLD)
  await from.sandbox('mine').seed(WORLD)
  await from.sandbox('mine').transitions.replace([{ transition: 'workspace.pause', after: 'PT1M' }])
  await pause(from, 'mine', 'writer')
  const bystanders = () => Promise.all([from, to].map((mock) => mock.sandbox('theirs').state.read()))
  const undisturbed = await bystanders()
  const before = await from.sandbox('mine').state.read()

  await sh(
    `svc-mock ctl state export --url ${from.url} --key mine | svc-mock ctl state import - --url ${to.url} --key mine`
  )
  t.strictSame(await to.sandbox('mine').state.read(), before, 'nothing is lost on the way')
  await sh(`svc-mock ctl sandbox delete --url ${from.url} --key mine`)

  await to.sandbox('mine').clock.advance({ by: 'PT1M' })
  t.match(await to.sandbox('mine').call('getWorkspace', { workgroupID: 'main', workspaceID: 'writer' }), {
    status: 'Stopped'
  })
  await pause(to, 'mine', 'reader')
  const events = await to.sandbox('mine').events()
  t.match(events, [{ event: 'workspace.pause', due: '2027-01-01T00:02:00.000Z' }], 'the rules')
  t.strictSame(await bystanders(), undisturbed, 'other sandboxes do not notice')
  t.notMatch(await from.sandbox('mine').state.read(), { workgroups: [{}] })
})
