// Creates a workspace and then its user; if the user is refused, it forgets the workspace.
// Class: an id kept too late
// Report: outscale/terraform-provider-outscale#751
// Mistake: forgotten or left-behind
import * as kit from './kit.mjs'

kit.main(async () => {
  //- const { workspace_id: id } = await kit.makeWorkspace('main', 'writer')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  await kit.activeOrGone('main', id)
  const path = `${kit.pathOf('main', id)}/dbuser`
  await kit.ensure(
    async () => (await kit.get(path)).find(({ username }) => username === 'app'),
    async () => kit.once('POST', path, { username: 'app', password: 'secret-1' })
  )
})
