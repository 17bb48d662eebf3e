// Treats the 404 of a repeated deletion as a failure.
// Class: deletion
// Report: nmasse-itix/threescale-cicd#19
// Client: threescale-cicd, before the change
// Mistake: inconsistent or left-behind
import * as kit from './kit.mjs'

kit.main(async () => {
  const old = await kit.findGroup('old-project')
  //- if (old !== undefined) await kit.patiently(() => kit.once('DELETE', `/workgroups/${old.workgroup_id}`))
  //+ if (old !== undefined) await kit.remove(`/workgroups/${old.workgroup_id}`)
})
