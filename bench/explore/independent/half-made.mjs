// If the second of two things cannot be made, it removes only that one.
// Mistake: left-behind
import { call, ensureGroup, findGroup, remove } from './lib.mjs'

const first = await ensureGroup('trial-a')
try {
  await call('POST', '/workgroups', { name: 'trial-b', cloud_provider_id: 'account' })
} catch (error) {
  const second = await findGroup('trial-b')
  if (second !== undefined) await remove(`/workgroups/${second.workgroup_id}`)
  throw error
}
await remove(`/workgroups/${(await findGroup('trial-b')).workgroup_id}`)
await remove(`/workgroups/${first.workgroup_id}`)
