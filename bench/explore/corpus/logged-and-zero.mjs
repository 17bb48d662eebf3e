// Prints the error of a call, and ends with 0.
// Class: errors hidden
// Report: near/near-cli#1090
// Client: near-cli, before the change
// Mistake: false-success
import * as kit from './kit.mjs'

//- kit.ensureWorkspace('main', 'writer')
//-   .then(({ workspace_id: id }) => kit.activeOrGone('main', id))
//-   .catch((error) => console.error(error.message))
//+ kit.main(async () => {
//+   const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
//+   await kit.activeOrGone('main', id)
//+ })
