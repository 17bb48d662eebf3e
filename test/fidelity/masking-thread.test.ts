import t, { type Test } from 'tap'
import { MaskingThread } from '../../src/fidelity/masking/thread.js'
import { vocabularyOf } from '../../src/fidelity/masking/vocabulary.js'
import type { Passed } from '../../src/fidelity/passed.js'
import { BUILT_IN } from '../../src/profile/profile.js'

const data = {
  settings: { key: 'a key', keep: [], vocabulary: vocabularyOf(BUILT_IN) },
  maxBody: 1000,
  origin: 'https://api.example.test',
  wantsBodies: true
}

/** Masks one exchange in a new thread. @returns its body, and how long it took, in milliseconds */
async function first(t: Test, limit?: number) {
  const thread = new MaskingThread(data, limit)
  t.teardown(() => thread.close())
  const body = { size: 4, bytes: new Uint8Array(Buffer.from('[17]')) }
  const passed: Passed = {
    number: 1,
    sent: 0,
    answered: 1,
    method: 'GET',
    path: '/',
    query: '',
    requestHeaders: {},
    status: 200,
    headers: { 'content-type': 'application/json' },
    sentBody: { size: 0 },
    receivedBody: body
  }
  const begun = performance.now()
  const { exchange } = await thread.mask(passed)
  return { body: exchange.body, took: performance.now() - begun }
}

void t.test('the time limit of the first exchange does not include the start of the thread', async (t) => {
  const { body, took } = await first(t)
  t.strictSame(body, [17])
  t.strictSame((await first(t, took / 3)).body, [17])
})
