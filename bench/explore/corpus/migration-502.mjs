// Ends its wait at the first error of any kind.
// Class: one bad poll ends the wait
// Report: github/gh-gei#292
// Client: gh-gei, before the change
// Mistake: forgotten
import * as kit from './kit.mjs'

kit.main(async () => {
  //- const { workspace_id: id } = await kit.makeWorkspace('main', 'writer')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  for (let polls = 0; polls < 60; polls++) {
    //- const status = (await kit.once('GET', kit.pathOf('main', id))).status
    //+ const { status } = await kit.get(kit.pathOf('main', id))
    if (status === 'Active') return
    if (status === 'Failed') break
    await kit.sleep(100)
  }
  await kit.removeWorkspace('main', id)
  throw new Error('the workspace does not become Active')
})
