// Creates an environment, uses it, and always removes it.
// Mistake: none
import * as kit from './kit.mjs'

kit.main(async () => {
  let failure
  try {
    const { workgroup_id: group } = await kit.ensureGroup('main')
    const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
    await kit.waitFor(group, workspace, 'Active')
    await kit.put(kit.pathOf(group, workspace), { auto_stop_minutes: 30 })
  } catch (error) {
    failure = error
  }
  const left = await kit.findGroup('main')
  if (left !== undefined) await kit.removeGroup(left.workgroup_id)
  if (failure !== undefined) throw failure
})
