// Takes a list that cannot be read for an empty one, and creates what is there already.
// Mistake: duplicate
import { again, call, ensureGroup, get } from './lib.mjs'

await ensureGroup('team')
const groups = await call('GET', '/workgroups').catch(() => [])
if (!groups.some(({ name }) => name === 'team'))
  await again(() => call('POST', '/workgroups', { name: 'team', cloud_provider_id: 'account' }))
console.log((await get('/workgroups')).length)
