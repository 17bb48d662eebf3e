import t from 'tap'
import { callSite, thrownAt } from '../../src/lib/call-site.js'

async function method(): Promise<never> {
  const site = callSite(method)
  await Promise.resolve()
  throw thrownAt(new RangeError('too far'), site)
}

void t.test('an error is thrown where the method was called, although that was before it waited', async (t) => {
  async function caller() {
    await method()
  }
  const { stack } = (await caller().catch((error: unknown) => error)) as Error
  t.match(stack, /^RangeError: too far\n {4}at caller .*call-site\.test/)
})

void t.test('without frames, the stack has the name and the message', async (t) => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const site = callSite(method)
  Error.stackTraceLimit = stackTraceLimit
  t.equal(thrownAt(new RangeError('too far'), site).stack, 'RangeError: too far')
})
