import type { Test } from 'tap'
import type { Mock } from '../../src/node/index.js'
import type { Body } from '../helper.js'
import type { Agent } from './client.js'

/** Breaks a workspace, finds the cause, and repairs it, like an agent that knows only the descriptions of the tools. */
export async function breakAndRepair(t: Test, { result, use }: Agent): Promise<void> {
  const call = async (operation: string, more: object = {}): Promise<Body> =>
    (await result('call', { operation, ...more })).Result
  const untilIdle = (more: object = {}) => result('clock', { action: 'advance', until: 'idle', ...more })

  // Create a workgroup and a workspace.
  const { workgroup_id: workgroupID } = await call('createWorkgroup', {
    body: { cloud_provider_id: 'any', name: 'main' }
  })
  const { workspace_id: workspaceID, status } = await call('createWorkspace', {
    ids: { workgroupID },
    body: { name: 'writer' }
  })
  t.equal(status, 'Creating')
  await untilIdle()
  const ids = { workgroupID, workspaceID }
  const statusIn = async (more: object = {}) => (await call('getWorkspace', { ids, ...more })).status as string
  t.equal(await statusIn(), 'Active')

  // Make the next resume fail.
  const rule = { transition: 'workspace.resume', outcome: 'fail', reason: 'No capacity.', times: 1 }
  t.match(await result('transitions', { action: 'set', rules: [rule] }), { rules: [rule] })
  await call('pauseWorkspace', { ids })
  await untilIdle()
  const resumed = (await use('call', { operation: 'resumeWorkspace', ids })).answer
  await untilIdle()
  t.equal(await statusIn(), 'Stopped')

  // Find out why the workspace is Stopped.
  const why = await result('requests', { action: 'why', resource_id: workspaceID })
  const changes = why.state_changes as readonly object[]
  t.match(changes[changes.length - 1], {
    transition: 'workspace.resume',
    from: 'Resuming',
    to: 'Stopped',
    reason: 'No capacity.',
    request_id: resumed.request_id
  })
  t.match(why.caused_by.request, { operation: 'resumeWorkspace', request_id: resumed.request_id, status: 200 })
  const { requests } = await result('requests', { action: 'list', operation: 'resumeWorkspace' })
  t.match(requests, [{ request_id: resumed.request_id, status: 200 }])
  const { timeline } = await result('requests', { action: 'why', request_id: resumed.request_id })
  t.strictSame(timeline, changes.slice(-2))

  // Copy it, and fix it there.
  await result('sandbox', { action: 'save', name: 'stopped' })
  const { key } = await result('sandbox', { action: 'new', from: 'stopped' })
  t.strictSame(await result('state', { action: 'read', select: 'transitions', key }), [], 'the rule has been used up')
  const begin = (await use('call', { operation: 'resumeWorkspace', ids, key })).answer
  await untilIdle({ key })
  t.equal(await statusIn({ key }), 'Active', 'it is repaired')
  t.equal(await statusIn(), 'Stopped', 'and the original is as it was')
  const { differences } = await result('compare', { from: begin.request_id, key })
  t.match(
    (differences as Body[]).find(({ path }) => String(path).endsWith('.status')),
    { path: `workgroups[${workgroupID}].workspaces[${workspaceID}].status`, before: 'Resuming', after: 'Active' }
  )
}

export const MANY = 6000

/** Fills the sandbox `agent` beyond the limit of replies over HTTP. @returns an expression that counts workspaces */
export async function fillWithLongNames({ sandbox }: Pick<Mock, 'sandbox'>): Promise<string> {
  const name = 'n'.repeat(250)
  const workspaces = Array.from({ length: MANY }, (_, index) => ({ id: `w${index}`, name: `${name}${index}` }))
  await sandbox('agent').state.replace({ workgroups: [{ id: 'g', workspaces }] })
  return 'length(workgroups[0].workspaces)'
}
