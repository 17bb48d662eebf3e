// Imported into a server by bench/profile.js: SIGUSR2 starts a CPU profile, and the next one writes it to PROFILE.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.setSamplingInterval', { interval: 200 })
let isRunning = false
process.on('SIGUSR2', async () => {
  isRunning = !isRunning
  if (isRunning) await session.post('Profiler.start')
  else writeFileSync(process.env.PROFILE, JSON.stringify((await session.post('Profiler.stop')).profile))
})
