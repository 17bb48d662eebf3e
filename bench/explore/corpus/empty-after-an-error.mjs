// Treats a list that cannot be read as empty, and creates what seems to be missing.
// Class: errors hidden
// Report: PostHog/posthog#16448
// Mistake: duplicate
import * as kit from './kit.mjs'

kit.main(async () => {
  //- const { workspaces } = await kit.get('/workgroups/main').catch(() => ({ workspaces: [] }))
  //- const known = workspaces.find(({ name }) => name === 'old')
  //- const { workspace_id: id } = known ?? (await kit.makeWorkspace('main', 'old'))
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'old')
  await kit.activeOrGone('main', id)
})
