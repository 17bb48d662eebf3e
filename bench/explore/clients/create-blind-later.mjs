// Looks for the workgroup, but not for the workspace.
// Mistake: duplicate createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const known = await kit.findWorkspace(group, 'writer')
  const { workspace_id: workspace } = known ?? (await kit.patiently(() => kit.createWorkspace(group, 'writer')))
  await kit.waitFor(group, workspace, 'Active')
})
