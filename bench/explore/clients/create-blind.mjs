// Retries a create without checking whether the first attempt succeeded.
// Mistake: duplicate createWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = (await kit.findGroup('main')) ?? (await kit.patiently(() => kit.createGroup('main')))
  const { workspace_id: workspace } = await kit.ensureWorkspace(group, 'writer')
  await kit.waitFor(group, workspace, 'Active')
})
