// Stops waiting after some polls, and ends with success.
// Mistake: false-success createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  for (let polls = 0; polls < 5; polls++) {
    const found = await kit.once('GET', kit.pathOf(group, workspace)).catch(() => undefined)
    if (found?.status === 'Active') return
    await kit.sleep(50)
  }
})
