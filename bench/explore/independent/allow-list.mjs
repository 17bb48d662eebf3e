// Makes the allow list of a workgroup what it should be: adds what is missing, and removes what is too much.
// Mistake: none
import { call, ensure, ensureGroup, get, put, remove } from './lib.mjs'

const WANTED = ['10.0.0.0/8', '192.168.0.0/16']
const { workgroup_id } = await ensureGroup('team')
const path = `/workgroups/${workgroup_id}/allow_list`
for (const cidr of WANTED)
  await ensure(
    async () => (await get(path)).find((entry) => entry.cidr === cidr),
    () => call('POST', path, { cidr })
  )
for (const { id, cidr } of await get(path)) if (!WANTED.includes(cidr)) await remove(`${path}/${id}`)
await put(`${path}/enable`)
