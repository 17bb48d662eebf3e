// Waits for a failed workspace to become Active.
// Mistake: hang createWorkspace
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  for (;;) {
    const { status } = await kit.get(kit.pathOf(group, workspace))
    if (status === 'Active') return
    await kit.sleep(20)
  }
})
