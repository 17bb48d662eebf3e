import { EventHub } from '../../src/journal/event-hub.js'
import { buildMock, testInOneSlice } from '../helper.js'
import { openSandbox } from '../sandbox.js'

testInOneSlice('a stream reports events that ran before a refused change, also without a journal', async (t) => {
  for (const journalRequests of [100, 0]) {
    const b = await openSandbox(await buildMock(t, { journalRequests }))
    const workgroup = await b.createWorkgroup()
    const path = `/workgroups/${workgroup}/workspaces`
    const { database_id } = await b.result('POST', path, {})
    const told: string[] = []
    b.sandbox.eventHub = new EventHub()
    b.sandbox.eventHub.listen(
      { send: () => undefined, end: () => undefined },
      ({ kind }) => {
        if (kind !== 'request') told.push(kind)
        return {}
      },
      undefined
    )
    t.equal((await b.call('POST', path, { svc_database_id: database_id })).status, 400)
    t.strictSame(told, [], 'nothing has changed')
    // The clock is moved without a write, so that the next one has to catch up.
    b.sandbox.clock = { ...b.sandbox.clock, base: b.sandbox.clock.base + 5000 }
    t.equal((await b.call('POST', path, { svc_database_id: database_id })).status, 400)
    t.strictSame(told, ['state'])
  }
})
