// Reads, adds and writes as one step, and repeats all of it after a lost reply.
// Mistake: false-success
import { again, call, ensureActive } from './lib.mjs'

const path = await ensureActive()
await again(async () => {
  const { auto_stop_minutes } = await call('GET', path)
  await call('PUT', path, { auto_stop_minutes: auto_stop_minutes + 10 })
})
