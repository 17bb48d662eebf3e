// Prints how long a plan of a client of twelve requests takes in this process, in milliseconds.
// Usage: node bench/explore/speed.js
import { explore } from '../../dist/index.js'

const client = async ({ call }) => {
  const { workgroup_id: workgroupID } = await call('createWorkgroup', {
    body: { name: 'main', cloud_provider_id: 'a' }
  })
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const { workspace_id: workspaceID } = await call('createWorkspace', { workgroupID, body: { name } })
    await call('getWorkspace', { workgroupID, workspaceID })
  }
  await call('listWorkgroups')
}

const begin = performance.now()
const { plans, runs } = await explore(client)
const ms = performance.now() - begin
console.log(JSON.stringify({ plans, runs, ms_per_plan: Math.round(ms / plans), ms_per_run: Math.round(ms / runs) }))
