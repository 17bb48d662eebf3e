// Polls a job until it succeeds, even if it failed.
// Class: Failed is no state
// Report: SumoLogic/terraform-provider-sumologic#47
// Client: terraform-provider-sumologic, before the change
// Mistake: hang
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  //- while ((await kit.get(kit.pathOf('main', id))).status !== 'Active') await kit.sleep(1000)
  //+ await kit.activeOrGone('main', id)
})
