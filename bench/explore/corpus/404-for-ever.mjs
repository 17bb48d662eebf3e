// Retries a read as long as the reply is a 404.
// Class: read after write
// Report: Azure/terraform-provider-azapi#627
// Client: terraform-provider-azapi, before the change
// Mistake: hang
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  //- for (;;) {
  //+ for (let polls = 0; polls < 60; polls++) {
    const { status } = await kit.get(kit.pathOf('main', id)).catch((error) => {
      if (error.status !== 404) throw error
      return {}
    })
    if (status === 'Active') return
    if (status === 'Failed') break
    await kit.sleep(1000)
  }
  await kit.removeWorkspace('main', id)
  throw new Error('the workspace does not become Active')
})
