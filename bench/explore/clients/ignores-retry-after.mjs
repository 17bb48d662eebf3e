// Waits by its own rules.
// Mistake: impolite createWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  for (let tries = 0; ; tries++) {
    try {
      if ((await kit.findGroup('main')) === undefined) await kit.createGroup('main')
      return
    } catch (error) {
      if (!kit.isTemporary(error) || tries === 4) throw error
      await kit.sleep(100 * 2 ** tries)
    }
  }
})
