// Creates a workgroup and adds to it; if that fails, the next run creates another workgroup.
// Class: an id kept too late
// Report: digitalocean/terraform-provider-digitalocean#1143
// Mistake: forgotten or duplicate or left-behind
import * as kit from './kit.mjs'

kit.main(async () => {
  //- const { workgroup_id: group } = await kit.patiently(() => kit.createGroup('project'))
  //+ const { workgroup_id: group } = await kit.ensureGroup('project')
  const path = `/workgroups/${group}/allow_list`
  await kit.ensure(
    async () => (await kit.get(path)).find(({ cidr }) => cidr === '192.0.2.0/24'),
    async () => kit.once('POST', path, { cidr: '192.0.2.0/24' })
  )
})
