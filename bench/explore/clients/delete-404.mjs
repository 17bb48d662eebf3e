// Takes it for a failure that what it deletes is gone already.
// Mistake: inconsistent deleteWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workgroup_id: group } = await kit.ensureGroup('main')
  await kit.patiently(() => kit.once('DELETE', `/workgroups/${group}`))
})
