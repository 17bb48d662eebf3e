// Handles statuses, but not a connection that ends.
// Mistake: inconsistent createWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  for (let tries = 0; ; tries++) {
    try {
      if ((await kit.findGroup('main')) === undefined) await kit.createGroup('main')
      return
    } catch (error) {
      if (!(error instanceof kit.Refused) || !kit.isTemporary(error) || tries === 4) throw error
      await kit.sleep(error.retryAfter == null ? 100 * 2 ** tries : error.retryAfter * 1000)
    }
  }
})
