// Retries a creation after a 500, a 502 or a 504, as if it had not been carried out.
// Class: a lost reply
// Report: go-to-k/cdkd#2039
// Client: cdkd, before the change
// Mistake: duplicate
import * as kit from './kit.mjs'

//- const STATUSES = [429, 500, 502, 503, 504]
//-
//- async function withRetries(step) {
//-   for (let tries = 1; ; tries++) {
//-     try {
//-       return await step()
//-     } catch (error) {
//-       if (!STATUSES.includes(error.status) || tries === 4) throw error
//-       await kit.sleep(Math.max(1000 * 2 ** tries, (error.retryAfter ?? 0) * 1000))
//-     }
//-   }
//- }
//-
kit.main(async () => {
  //- const { workspace_id: id } = await withRetries(() => kit.createWorkspace('main', 'writer'))
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  await kit.activeOrGone('main', id)
})
