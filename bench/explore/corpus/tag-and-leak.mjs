// Starts over when a later step fails, and leaves the resources of the first attempt.
// Class: a crash between write and record
// Report: vmware-tanzu/community-edition#2502
// Client: community-edition, before the change
// Mistake: duplicate or left-behind or forgotten or not-recovered
import * as kit from './kit.mjs'

async function attempt() {
  //- const { workspace_id: id } = await kit.makeWorkspace('main', 'writer')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  await kit.activeOrGone('main', id)
  await kit.once('PUT', kit.pathOf('main', id), { auto_stop_minutes: 30 })
}

kit.main(() => kit.patiently(attempt))
