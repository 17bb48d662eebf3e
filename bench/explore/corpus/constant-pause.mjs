// Makes the same pause between all attempts.
// Class: limits and manners
// Report: serverless/serverless#9893
// Client: serverless, before the change
// Mistake: impolite
import * as kit from './kit.mjs'

kit.main(async () => {
  const find = () => kit.findWorkspace('main', 'writer')
  const ensure = async () => (await find()) ?? (await kit.createWorkspace('main', 'writer'))
  //- let made
  //- for (let tries = 1; made === undefined; tries++) {
  //-   made = await ensure().catch(async (error) => {
  //-     if (!kit.isTemporary(error) || tries === 8) throw error
  //-     await kit.sleep(error.retryAfter == null ? 500 : error.retryAfter * 1000)
  //-   })
  //- }
  //+ const made = await kit.patiently(ensure)
  await kit.activeOrGone('main', made.workspace_id)
})
