// Tries again for ever, also what is forbidden.
// Mistake: hang
import { call, sleep } from './lib.mjs'

for (;;) {
  try {
    await call('GET', '/workgroups')
    break
  } catch {
    await sleep(50)
  }
}
