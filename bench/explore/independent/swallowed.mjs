// Reports an error of the update, and goes on as if nothing had happened.
// Mistake: false-success
import { call, ensureGroup } from './lib.mjs'

const { workgroup_id } = await ensureGroup('team')
try {
  await call('PUT', `/workgroups/${workgroup_id}`, { workgroup_name: 'crew' })
} catch (error) {
  console.error(error.message)
}
