// Treats any refusal of a user as if it already existed.
// Mistake: false-success createDatabaseUser
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  await kit.waitFor(group, workspace, 'Active')
  await kit
    .patiently(() =>
      kit.once('POST', `${kit.pathOf(group, workspace)}/dbuser`, { username: 'app', password: 'secret-1' })
    )
    .catch((error) => {
      if (error.status >= 500) throw error
    })
})
