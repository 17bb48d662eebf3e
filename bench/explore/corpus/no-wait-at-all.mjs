// Mistakes the reply to the creation for its end.
// Class: waiting for the wrong thing
// Report: flwrlabs/flower#131
// Client: flower, before the change
// Mistake: false-success
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  //+ await kit.activeOrGone('main', id)
  console.log(`${id} is ready`)
})
