// Removes what it has made only if all went well.
// Mistake: left-behind createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  await kit.waitFor(group, workspace, 'Active')
  await kit.removeGroup(group)
})
