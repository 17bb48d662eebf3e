// Cleans up only if everything succeeded.
// Mistake: left-behind createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  await kit.waitFor(group, workspace, 'Active')
  await kit.removeGroup(group)
})
