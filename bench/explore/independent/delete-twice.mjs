// Takes the 404 of a repeated delete, whose first reply was lost, for a failure.
// Mistake: inconsistent
import { again, call, ensureGroup } from './lib.mjs'

const { workgroup_id } = await ensureGroup('trial')
await again(() => call('DELETE', `/workgroups/${workgroup_id}`))
