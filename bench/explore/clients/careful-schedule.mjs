// Sets the backup schedule of a workspace.
// Mistake: none
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  await kit.waitFor(group, workspace, 'Active').catch(async (error) => {
    await kit.removeWorkspace(group, workspace)
    throw error
  })
  await kit.patiently(() =>
    kit.once('POST', `${kit.pathOf(group, workspace)}/backups/schedule?operation=set_backup_schedule`, {
      schedule: '0 3 * * *'
    })
  )
})
