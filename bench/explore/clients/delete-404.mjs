// Treats the 404 of a repeated deletion as a failure.
// Mistake: inconsistent deleteWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  await kit.patiently(() => kit.once('DELETE', `/workgroups/${group}`))
})
