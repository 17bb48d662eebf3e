// Looks once for its workspace, on a server that does not have it yet.
// Class: read after write
// Report: atlassian/terraform-provider-artifactory#41
// Client: terraform-provider-artifactory, before the change
// Mistake: duplicate or forgotten
import * as kit from './kit.mjs'

kit.main(async () => {
  const find = () => kit.findGroup('project')
  //- await kit.ensure(find, () => kit.createGroup('project'))
  //- if ((await find()) === undefined) await kit.createGroup('project')
  //+ await kit.ensureGroup('project')
  //+ for (let polls = 0; polls < 10 && (await find()) === undefined; polls++) await kit.sleep(1000)
})
