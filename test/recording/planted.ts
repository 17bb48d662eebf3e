import type { Test } from 'tap'
import { startMock } from '../../src/node/mock.js'
import { temporaryFolder } from '../temporary.js'
import { pathsIn } from './recordings.js'

/** Why a resume fails in the planted run. */
export const PLANTED = 'No capacity.'

/**
 * Records a run of clients that pause and resume their workspaces.
 * @param rounds each takes 20 requests; in the middle one, the third workspace fails to resume
 * @returns the path of the recording, and the id of the third workspace
 */
export async function recordPlanted(t: Test, rounds: number) {
  const record = temporaryFolder(t)
  await using mock = await startMock({ record, seed: 1, journalRequests: 10_000 })
  const box = mock.sandbox('a')
  await box.clock.freeze('2026-01-01T00:00:00Z')
  const { workgroup_id: workgroupID } = await box.call('createWorkgroup', {
    body: { cloud_provider_id: 'a', name: 'fleet' }
  })
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    const { workspace_id: id } = await box.call('createWorkspace', { workgroupID, body: { name: `worker-${i}` } })
    ids.push(id)
  }
  await box.clock.advance({ until: 'idle' })
  const planted = rounds >> 1
  for (let round = 0; round < rounds; round++) {
    if (round === planted)
      await box.transitions.replace([
        { transition: 'workspace.resume', resource_id: ids[2]!, outcome: 'fail', reason: PLANTED }
      ])
    for (const workspaceID of ids) {
      await box.call('pauseWorkspace', { workgroupID, workspaceID })
      await box.clock.advance({ by: 'PT1M' })
      await box.call('getWorkspace', { workgroupID, workspaceID })
      await box.call('resumeWorkspace', { workgroupID, workspaceID })
      await box.clock.advance({ by: 'PT1M' })
      await box.call('getWorkspace', { workgroupID, workspaceID })
    }
    if (round === planted) await box.transitions.replace([])
  }
  await mock.close()
  return { path: pathsIn(record)[0]!, id: ids[2]! }
}
