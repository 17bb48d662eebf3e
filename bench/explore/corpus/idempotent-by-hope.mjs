// Retries two times on 408, 409, 429 and every 5xx, creations included.
// Class: a lost reply
// Report: go-to-k/cdkd#2080
// Client: cloudflare 7.3.0 (npm)
// Mistake: duplicate
import * as kit from './kit.mjs'

//- async function request(step) {
//-   for (let left = 2; ; left--) {
//-     try {
//-       return await step()
//-     } catch (error) {
//-       const { status = 500, retryAfter } = error
//-       if (left === 0 || !(status >= 500 || [408, 409, 429].includes(status))) throw error
//-       await kit.sleep(retryAfter == null ? 500 * 2 ** (2 - left) : retryAfter * 1000)
//-     }
//-   }
//- }
//-
kit.main(async () => {
  //- const { workspace_id: id } = await request(() => kit.createWorkspace('main', 'writer'))
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  await kit.activeOrGone('main', id)
})
