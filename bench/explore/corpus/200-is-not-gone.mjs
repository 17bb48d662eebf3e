// Mistakes the reply to a deletion for its end.
// Class: deletion
// Report: OpenUpSA/pmg-cms-2#187
// Mistake: false-success
import * as kit from './kit.mjs'

kit.main(async () => {
  const old = await kit.findWorkspace('main', 'old')
  if (old === undefined) return
  //- await kit.remove(kit.pathOf('main', old.workspace_id))
  //- const left = await kit.get('/workgroups/main')
  //- console.log(`${left.workspaces.length} workspaces are left`)
  //+ await kit.removeWorkspace('main', old.workspace_id)
})
