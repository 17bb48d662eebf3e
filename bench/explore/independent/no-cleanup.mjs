// Removes what it made only if all has gone well.
// Mistake: left-behind
import { ensureGroup, put, remove } from './lib.mjs'

const { workgroup_id } = await ensureGroup('trial')
await put(`/workgroups/${workgroup_id}/allow_list/enable`)
await remove(`/workgroups/${workgroup_id}`)
