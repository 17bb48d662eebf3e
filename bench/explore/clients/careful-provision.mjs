// Makes sure that a workspace exists, and removes a failed one.
// Mistake: none
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  try {
    await kit.waitFor(group, workspace, 'Active')
  } catch (error) {
    await kit.removeWorkspace(group, workspace)
    throw error
  }
})
