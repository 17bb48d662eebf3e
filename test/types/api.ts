import {
  type CallError,
  type ErrorType,
  type OperationId,
  startMock,
  type WorkspaceState
} from '../../src/node/index.js'

// Right and wrong calls, as a test of a client has them. test/types.test.ts compiles this file: the right ones must
// compile, and each of the wrong ones must not. Nothing runs it.

const place = { workgroupID: 'main', workspaceID: 'writer' }

export async function right(): Promise<unknown> {
  await using mock = await startMock({ auth: 'strict', apiKeys: ['ci=secret'], transitions: 'instant', seed: 1 })
  const box = mock.sandbox('secret')

  await using other = await startMock({
    profile: { profile: 1, name: 'another', catalogue: { regions: [{ name: 'mars' }] } }
  })
  await other.sandbox().call('createWorkgroup', { body: { cloud_provider_id: 'x', region: 'mars' } })

  await box.clock.advance({ by: 'PT1H' })
  await box.clock.advance({ to: '2027-01-01T00:00:00Z' })
  await box.clock.advance({ until: 'idle', max: 'P1D' })
  const { fired } = await box.clock.advance({ until: { workspace_id: 'writer', status: 'gone' } })
  const isPause = fired[0]?.event === 'workspace.pause'

  const { workgroup_id } = await box.call('createWorkgroup', { body: { cloud_provider_id: 'x', region: 'us-east-1' } })
  const workspace = await box.call('createWorkspace', { workgroupID: workgroup_id, body: {} })
  const status: WorkspaceState = workspace.status
  const isNormal = workspace.condition_type === 'Normal'
  const count: number = (await box.call('listWorkgroups')).length
  const nothing: Promise<undefined> = box.call('pauseWorkspace', place)
  await box.call('updateWorkspace', { ...place, body: { addons: workspace.addons ?? [] } })
  const name: OperationId = 'getMetadata'
  const names: string[] = (await box.call(name)).regions.map((region) => region.name)
  const typeOf = (error: CallError): ErrorType | undefined => error.Type

  await box.transitions.replace([{ transition: 'workspace.pause', outcome: 'fail' }])
  await box.fault.add({ operation: 'getWorkspace', effect: { status: 503, error_type: 'Internal-Error' } })
  await box.verify({ operation: 'listWorkgroups', where: { status: 200 }, times: { atLeast: 1, atMost: 2 } })
  await box.verify({ sequence: [{ operation: 'pauseWorkspace' }, { operation: 'resumeWorkspace' }] })
  await box.quotas.set({ rw_workspaces: null })
  await box.reset({ keep: ['clock'] })
  const state = await box.state.read()
  for (const workgroup of state.workgroups ?? []) workgroup.name = 'other'
  await box.seed({ ...state, workgroups: [{ id: 'main', workspaces: [{ id: 'writer', status: 'Stopped' }] }] })
  return [isPause, isNormal, status, count, await Promise.all([nothing]), names, typeOf]
}

export async function wrong(): Promise<void> {
  // @ts-expect-error there is no such option
  await startMock({ prot: 4700 })
  // @ts-expect-error a port is a number
  await startMock({ port: '4700' })
  // @ts-expect-error it is any, strict or off
  await startMock({ auth: 'none' })

  const mock = await startMock()
  // @ts-expect-error a key is a text
  const box = mock.sandbox(1)

  // @ts-expect-error it needs a workspace
  await box.clock.advance({ until: 'Active' })
  // @ts-expect-error there is no such state
  await box.clock.advance({ until: { workspace_id: 'writer', status: 'Actve' } })
  // @ts-expect-error a time is a text
  await box.clock.freeze(1)
  // @ts-expect-error there is no such mode
  await box.clock.set({ mode: 'fast' })

  // @ts-expect-error there is no such operation
  await box.call('flyWorkspace')
  // @ts-expect-error it needs an id
  await box.call('getWorkgroup')
  // @ts-expect-error it needs an id
  await box.call('getWorkgroup', {})
  // @ts-expect-error the id has another name
  await box.call('getWorkgroup', { workgroupId: 'main' })
  // @ts-expect-error an id is a text
  await box.call('getWorkgroup', { workgroupID: 1 })
  // @ts-expect-error it has no body
  await box.call('getWorkgroup', { workgroupID: 'main', body: {} })
  // @ts-expect-error it takes nothing
  await box.call('listWorkgroups', { limit: 1 })
  // @ts-expect-error it needs a body
  await box.call('createWorkspace', { workgroupID: 'main' })
  // @ts-expect-error a field of the body is missing
  await box.call('createWorkgroup', { body: {} })
  // @ts-expect-error there is no such field
  await box.call('createWorkspace', { workgroupID: 'main', body: { nmae: 'writer' } })
  // @ts-expect-error a region is a text
  await box.call('createWorkgroup', { body: { cloud_provider_id: 'x', region: 1 } })
  // @ts-expect-error a region has a name
  await startMock({ profile: { profile: 1, name: 'another', catalogue: { regions: [{}] } } })
  // @ts-expect-error both fields are needed
  await box.call('createDatabaseUser', { ...place, body: { username: 'ada' } })
  // @ts-expect-error it has no result
  const _isPaused: Promise<object> = box.call('pauseWorkspace', place)
  // @ts-expect-error there is no such state
  const _isActive = (await box.call('getWorkspace', place)).status === 'Actve'

  // @ts-expect-error there is no such transition
  await box.transitions.replace([{ transition: 'workspace.fly' }])
  // @ts-expect-error there is no such transition
  await box.transitions.release({ transition: 'workspace.fly' })
  // @ts-expect-error there is no such outcome
  await box.transitions.replace([{ transition: 'workspace.pause', outcome: 'explode' }])
  // @ts-expect-error there is no such operation
  await box.fault.add({ operation: 'flyWorkspace', effect: { status: 500 } })
  // @ts-expect-error there is no such type of error
  await box.fault.add({ effect: { status: 500, error_type: 'Not-There' } })
  // @ts-expect-error a fault has an effect
  await box.fault.add({ operation: 'getWorkspace' })

  // @ts-expect-error there is no such operation
  await box.verify({ operation: 'flyWorkspace' })
  // @ts-expect-error there is no such operation
  await box.requests.list({ operation: 'flyWorkspace' })

  // @ts-expect-error there is no such quota
  await box.quotas.set({ workspaces: 1 })
  // @ts-expect-error there is no such part
  await box.reset({ keep: ['everything'] })
  // @ts-expect-error there is no such field
  await box.seed({ workgroups: [{ workspaces: [{ staus: 'Active' }] }] })
  // @ts-expect-error there is no such state
  await box.seed({ workgroups: [{ workspaces: [{ status: 'Actve' }] }] })
}
