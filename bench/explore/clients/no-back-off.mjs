// Tries ten times without a pause.
// Mistake: impolite createWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  for (let tries = 0; ; tries++) {
    try {
      if ((await kit.findGroup('main')) === undefined) await kit.createGroup('main')
      return
    } catch (error) {
      if (!kit.isTemporary(error) || tries === 10) throw error
      await kit.sleep(error.retryAfter == null ? 20 : error.retryAfter * 1000)
    }
  }
})
