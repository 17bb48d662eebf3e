// Mistakes the reply to the create for its end.
// Mistake: false-success createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  console.log(`ready: ${workspace}`)
})
