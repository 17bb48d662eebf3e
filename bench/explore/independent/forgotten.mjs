// Remembers what it has to remove only after the reply to the create.
// Mistake: left-behind
import { again, call, remove } from './lib.mjs'

const made = []
try {
  const { workgroup_id } = await call('POST', '/workgroups', { name: 'trial', cloud_provider_id: 'account' })
  made.push(workgroup_id)
  await again(() => call('GET', `/workgroups/${workgroup_id}`))
} finally {
  for (const id of made) await remove(`/workgroups/${id}`)
}
