// Fails when a creation takes too long, although it succeeds in the end.
// Class: a lost reply
// Report: GoogleCloudPlatform/PerfKitBenchmarker#825
// Client: PerfKitBenchmarker, before the change
// Mistake: forgotten or left-behind
import * as kit from './kit.mjs'

kit.main(async () => {
  //- const { workspace_id: id } = await kit.createWorkspace('main', 'writer')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  await kit.activeOrGone('main', id)
})
