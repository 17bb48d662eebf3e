// Retries a poll only once, and only after a 500 or a 503.
// Class: one bad poll ends the wait
// Report: mobile-dev-inc/Maestro#1154
// Client: Maestro, before the change
// Mistake: forgotten
import * as kit from './kit.mjs'

//- const twice = (step) =>
//-   step().catch((error) => {
//-     if (error.status !== 500 && error.status !== 503) throw error
//-     return kit.sleep(1000).then(step)
//-   })

kit.main(async () => {
  //- const { workspace_id: id } = await kit.makeWorkspace('main', 'writer')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  for (let polls = 0; polls < 60; polls++) {
    //- const status = (await twice(() => kit.once('GET', kit.pathOf('main', id)))).status
    //+ const { status } = await kit.get(kit.pathOf('main', id))
    if (status === 'Active') return
    if (status === 'Failed') break
    await kit.sleep(100)
  }
  await kit.removeWorkspace('main', id)
  throw new Error('the workspace does not become Active')
})
