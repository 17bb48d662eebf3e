// Measures how long a sandbox takes to live through a year, by the number of its workspaces. Each has a daily backup
// and two workspace schedules, which pause it in the evening and resume it in the morning of weekdays. The cost is
// linear if an event takes as long with ten workspaces as with one, and in the last quarter as in the first.
// Usage: npm run bench:year [-- --workspaces 1,2,5,10]
import { parseArgs } from 'node:util'
import { startMock } from '../dist/index.js'

const { values } = parseArgs({ options: { workspaces: { type: 'string', default: '1,2,5,10' } } })
const QUARTERS = ['2026-04-01', '2026-07-01', '2026-10-01', '2027-01-01'].map((day) => `${day}T00:00:00.000Z`)

const mock = await startMock()
// The first events are slower, until the code is compiled.
await liveThrough(1, QUARTERS.slice(0, 1))

console.log(`A year by the sandbox's clock, Node ${process.version}\n`)
console.log('| workspaces | events | ms | µs an event | in the quarters |\n| ---: | ---: | ---: | ---: | --- |')
for (const count of values.workspaces.split(',').map(Number)) {
  const quarters = await liveThrough(count, QUARTERS)
  const sum = (field) => quarters.reduce((total, quarter) => total + quarter[field], 0)
  const perEvent = ({ events, ms }) => Math.round((ms * 1000) / events)
  const year = { events: sum('events'), ms: sum('ms') }
  console.log(
    `| ${count} | ${year.events} | ${Math.round(year.ms)} | ${perEvent(year)} | ${quarters.map(perEvent).join(', ')} |`
  )
}
await mock.close()

/**
 * Moves the clock of a new sandbox through some times.
 * @returns the number of events in each move, and its duration
 */
async function liveThrough(count, times) {
  const { clock, headers } = mock.sandbox()
  await clock.freeze('2025-12-31T23:00:00.000Z')
  const post = async (path, body) => {
    const reply = await fetch(`${mock.url}/controller/v4/v2${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    if (!reply.ok) throw new Error(await reply.text())
    return (await reply.json()).Result
  }
  const { workgroup_id: workgroup } = await post('/workgroups', { cloud_provider_id: 'bench' })
  for (let made = 0; made < count; made++) {
    const { workspace_id } = await post(`/workgroups/${workgroup}/workspaces`, {})
    const schedules = `/workgroups/${workgroup}/workspaces/${workspace_id}/backups/schedule`
    await post(schedules, { schedule: '0 12 * * *' })
    const weekdays = { workspace_id, repeat: 'weekdays', timezone: 'Europe/Berlin' }
    await post(schedules, { ...weekdays, time: '20:00' })
    await post(schedules, { ...weekdays, time: '07:00', workspace_type_name: 'SVC-00' })
  }
  await clock.set({ now: '2026-01-01T00:00:00.000Z' })
  const quarters = []
  for (const to of times) {
    const start = performance.now()
    const { fired } = await clock.advance({ to })
    quarters.push({ events: fired.length, ms: performance.now() - start })
  }
  return quarters
}
