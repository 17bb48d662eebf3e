// Treats every error as temporary, and never gives up.
// Mistake: hang createWorkgroup
import * as kit from './kit.mjs'

kit.main(async () => {
  for (;;) {
    try {
      await kit.ensureGroup('main')
      return
    } catch {
      await kit.sleep(100)
    }
  }
})
