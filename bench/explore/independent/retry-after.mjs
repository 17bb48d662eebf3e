// Does not heed Retry-After.
// Mistake: impolite
import { call, sleep } from './lib.mjs'

for (let attempt = 0; ; attempt++) {
  try {
    console.log((await call('GET', '/workgroups')).length)
    break
  } catch (error) {
    if (attempt === 4) throw error
    await sleep(10 * 2 ** attempt)
  }
}
