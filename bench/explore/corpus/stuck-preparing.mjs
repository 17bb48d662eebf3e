// Does not limit a wait that may never end.
// Class: waiting for the wrong thing
// Report: seal-io/walrus#569
// Mistake: hang
import * as kit from './kit.mjs'

kit.main(async () => {
  const { workspace_id: id } = await kit.ensureWorkspace('main', 'writer')
  for (let polls = 0; ; polls++) {
    const { status } = await kit.get(kit.pathOf('main', id))
    if (status === 'Active') return
    if (status === 'Failed') break
    //+ if (polls === 60) break
    await kit.sleep(100)
  }
  await kit.removeWorkspace('main', id)
  throw new Error('the workspace does not become Active')
})
