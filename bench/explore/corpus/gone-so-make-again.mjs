// Reads its new workspace, and mistakes a 404 for a deletion.
// Class: read after write
// Report: hashicorp/terraform-provider-google#22533
// Client: terraform-provider-google
// Mistake: duplicate or forgotten
import * as kit from './kit.mjs'

kit.main(async () => {
  let found = await kit.ensureWorkspace('main', 'writer')
  const isShown = async () => (await kit.findWorkspace('main', 'writer')) !== undefined
  //- if (!(await isShown())) found = await kit.createWorkspace('main', 'writer')
  //+ for (let polls = 0; polls < 10 && !(await isShown()); polls++) await kit.sleep(1000)
  await kit.activeOrGone('main', found.workspace_id)
})
