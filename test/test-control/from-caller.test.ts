import t from 'tap'
import { invalidBody, ServiceError } from '../../src/interface/errors.js'
import { BareError } from '../../src/lib/call-site.js'
import { fromCaller } from '../../src/test-control/handle/from-caller.js'
import { reasonOf } from '../messages.js'

/** What calling a method throws, at once or later. */
async function errorOf(attempt: () => unknown): Promise<Error> {
  try {
    await attempt()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

void t.test('a bug keeps its own stack', async (t) => {
  const ours = new Error('ours')
  const { stack } = ours
  const methods = fromCaller({
    now: () => {
      throw ours
    },
    later: () => Promise.reject(ours)
  })
  for (const method of [methods.now, methods.later]) t.equal(await errorOf(method), ours)
  t.equal(ours.stack, stack)
})

void t.test('an error about the body is about the argument, and no other text changes', async (t) => {
  const thrown = async (error: Error) => {
    const methods = fromCaller({
      call: () => {
        throw error
      }
    })
    return (await errorOf(methods.call)).message
  }
  const noBody = reasonOf('noBody')
  t.equal(
    await thrown(invalidBody(['', 'a'].map((field) => ({ field, reason: noBody })))),
    `The request is not valid: the argument ${noBody}; a ${noBody}.`
  )
  for (const text of ['not in the body of it', 'x: the bodyguard', 'x: the body'])
    t.equal(await thrown(new ServiceError('invalidBody', text)), text)
  t.equal(await thrown(new ServiceError('notAllowed', 'x: the body is.')), 'x: the body is.')
  t.equal(await thrown(new BareError('x: the body is.')), 'x: the body is.')
})
