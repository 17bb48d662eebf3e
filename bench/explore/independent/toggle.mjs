// Switches to the other state, and does so again after a lost reply.
// Mistake: false-success
import { again, call, ensureActive, get, sleep } from './lib.mjs'

const path = await ensureActive()
const settled = async () => {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { status } = await get(path)
    if (status === 'Active' || status === 'Stopped') return status
    await sleep(50)
  }
  throw new Error('it does not settle')
}
await again(async () => call('POST', `${path}/${(await settled()) === 'Active' ? 'pause' : 'resume'}`))
await settled()
