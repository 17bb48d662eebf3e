// Sets a schedule again without looking for existing ones.
// Mistake: duplicate updateWorkspaceSchedule
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  await kit.waitFor(group, workspace, 'Active')
  const path = kit.pathOf(group, workspace)
  if (JSON.parse(await kit.get(`${path}/schedules`)).length > 0) return
  await kit.patiently(() =>
    kit.once('POST', `${path}/backups/schedule?operation=update_workspace_schedule`, {
      workspace_id: workspace,
      repeat: 'weekdays',
      time: '19:00',
      timezone: 'Europe/Berlin'
    })
  )
})
