// Uses a workspace of its own, and leaves nothing, whatever happens. It removes first what an earlier run has left.
// Mistake: none
import { ensureActive, findGroup, get, remove, waitUntilGone } from './lib.mjs'

async function tearDown() {
  for (let group = await findGroup('trial'); group !== undefined; group = await findGroup('trial')) {
    const path = `/workgroups/${group.workgroup_id}`
    const { workspaces, svc_databases } = await get(path)
    for (const { workspace_id } of workspaces) {
      await remove(`${path}/workspaces/${workspace_id}`)
      await waitUntilGone(`${path}/workspaces/${workspace_id}`)
    }
    for (const { database_id } of svc_databases) await remove(`${path}/databases/${database_id}`)
    await remove(path)
  }
}

await tearDown()
try {
  await ensureActive('trial')
} finally {
  await tearDown()
}
