// Waits for a reply as long as the connection is open.
// Class: limits and manners
// Report: threema-ch/threema-msgapi-sdk-rust#56
// Client: threema-msgapi-sdk, before the change
// Mistake: hang
import * as kit from './kit.mjs'

//- AbortSignal.timeout = () => undefined
//-
kit.main(async () => {
  const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  await kit.activeOrGone('main', id)
})
