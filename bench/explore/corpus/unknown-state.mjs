// Fails at an unknown state, and does not find its workspace the next time.
// Class: Failed is no state
// Report: IBM-Cloud/terraform-provider-ibm#1617
// Client: terraform-provider-ibm, before the change
// Mistake: forgotten
import * as kit from './kit.mjs'

kit.main(async () => {
  //- const { workspace_id: id } = await kit.makeWorkspace('main', 'writer')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  for (let polls = 0; polls < 300; polls++) {
    const { status } = await kit.get(kit.pathOf('main', id))
    if (status === 'Active') return
    //- if (status !== 'Creating') throw new Error(`unexpected state ${status}`)
    //+ if (status === 'Failed') break
    await kit.sleep(1000)
  }
  //- throw new Error('the workspace does not become Active')
  //+ await kit.removeWorkspace('main', id)
  //+ throw new Error('the workspace does not become Active')
})
