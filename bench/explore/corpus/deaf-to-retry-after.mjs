// Backs off by its own schedule, which is shorter than Retry-After.
// Class: limits and manners
// Report: DouglasdeMoura/chroncal#105
// Client: chroncal, before the change
// Mistake: impolite
import * as kit from './kit.mjs'

kit.main(async () => {
  const find = () => kit.findWorkspace('main', 'writer')
  const create = async () => (await find()) ?? (await kit.createWorkspace('main', 'writer'))
  //- let made
  //- for (let tries = 1; made === undefined; tries++) {
  //-   made = await create().catch((error) => {
  //-     if (!kit.isTemporary(error) || tries === 5) throw error
  //-   })
  //-   if (made === undefined) await kit.sleep(Math.min(2000, 100 * 2 ** tries))
  //- }
  //+ const made = await kit.patiently(create)
  await kit.activeOrGone('main', made.workspace_id)
})
