// Sends a create again after any failure, without a look at what is there.
// Mistake: duplicate
import { again, call } from './lib.mjs'

await again(() => call('POST', '/workgroups', { name: 'team', cloud_provider_id: 'account' }))
