// Retries a poll after a broken connection, but not after a 502, a 503 or a 504.
// Class: one bad poll ends the wait
// Report: IBM-Blockchain/ansible-collection#98
// Mistake: forgotten
import * as kit from './kit.mjs'

kit.main(async () => {
  //- const { workspace_id: id } = await kit.makeWorkspace('main', 'writer')
  //+ const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  const poll = () => kit.once('GET', kit.pathOf('main', id))
  for (let polls = 0; polls < 60; polls++) {
    //- const { status } = await poll().catch((error) => (error instanceof kit.Refused ? Promise.reject(error) : {}))
    //+ const { status } = await kit.patiently(poll)
    if (status === 'Active') return
    if (status === 'Failed') break
    await kit.sleep(100)
  }
  await kit.removeWorkspace('main', id)
  throw new Error('the workspace does not become Active')
})
