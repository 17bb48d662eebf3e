// Creates an environment of two parts, and keeps the first one if the second fails.
// Mistake: left-behind createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup(`env-${Date.now()}`)
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  await kit.waitFor(group, workspace, 'Active')
  await kit.removeGroup(group)
})
