// Mistakes every state but the first for the end of its wait.
// Class: waiting for the wrong thing
// Report: hashicorp/terraform-aws-terraform-enterprise#160
// Mistake: false-success
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  //- for (let polls = 0; polls < 60; polls++) {
  //-   if ((await kit.get(kit.pathOf('main', id))).status !== 'Creating') break
  //-   await kit.sleep(500)
  //- }
  //+ await kit.activeOrGone('main', id)
  console.log(`${id} is ready`)
})
