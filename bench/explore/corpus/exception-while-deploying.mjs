// An exception while a workspace is being set up leaves it behind.
// Class: a crash between write and record
// Report: globocom/database-as-a-service#136
// Mistake: left-behind
import * as kit from './kit.mjs'

kit.main(async () => {
  let failure
  try {
    const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
    await kit.waitFor('main', id, 'Active')
  } catch (error) {
    //- throw error
    //+ failure = error
  }
  const left = await kit.findWorkspace('main', 'writer')
  if (left !== undefined) await kit.removeWorkspace('main', left.workspace_id)
  if (failure !== undefined) throw failure
})
