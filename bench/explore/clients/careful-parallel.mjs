// Creates three workspaces concurrently.
// Mistake: none
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const one = async (name) => {
    const { workspace_id: workspace } = await kit.ensureWorkspace(group, name)
    await kit.waitFor(group, workspace, 'Active').catch(async (error) => {
      await kit.removeWorkspace(group, workspace)
      throw error
    })
  }
  const results = await Promise.allSettled(['a', 'b', 'c'].map(one))
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw failed.reason
})
