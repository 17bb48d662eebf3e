// Waits for Active only, also when the workspace has failed.
// Mistake: hang
import { ensureGroup, ensureWorkspace, get, sleep } from './lib.mjs'

const { workgroup_id } = await ensureGroup('team')
const { workspace_id } = await ensureWorkspace(workgroup_id, 'main')
while ((await get(`/workgroups/${workgroup_id}/workspaces/${workspace_id}`)).status !== 'Active') await sleep(50)
