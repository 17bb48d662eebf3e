// Takes every status but Creating for the end.
// Mistake: false-success
import { ensureGroup, ensureWorkspace, get, sleep } from './lib.mjs'

const { workgroup_id } = await ensureGroup('team')
const { workspace_id } = await ensureWorkspace(workgroup_id, 'main')
const path = `/workgroups/${workgroup_id}/workspaces/${workspace_id}`
for (let attempt = 0; attempt < 60 && (await get(path)).status === 'Creating'; attempt++) await sleep(50)
console.log('ready')
