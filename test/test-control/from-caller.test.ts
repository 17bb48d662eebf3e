import t from 'tap'
import { invalidBody, ServiceError } from '../../src/interface/errors.js'
import { bare, BareError } from '../../src/lib/call-site.js'
import { fromCaller } from '../../src/test-control/handle/from-caller.js'
import { reasonOf } from '../messages.js'

const NAME = Symbol('name')

/** What calling a method throws, at once or later. */
async function errorOf(attempt: () => unknown): Promise<Error> {
  try {
    await attempt()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

void t.test('methods at any depth still work, and other values stay unchanged', async (t) => {
  const own = {
    text: 'a',
    none: null,
    absent: undefined,
    add: (a: number, b: number) => a + b,
    deep: { later: async (value: string) => `${value}!`, count: 5 },
    [NAME]: () => 'named'
  }
  const methods = fromCaller(own)
  t.match(methods, { text: 'a', none: null, absent: undefined, deep: { count: 5 } })
  t.strictSame(Reflect.ownKeys(methods), Reflect.ownKeys(own))
  t.equal(methods.add(1, 2), 3)
  t.equal(await methods.deep.later('b'), 'b!')
  t.equal(methods[NAME](), 'named')
})

void t.test("an error that the caller causes has the caller's stack, whenever it is thrown", async (t) => {
  const methods = fromCaller({
    now: () => {
      throw new BareError('no')
    },
    later: async () => {
      throw bare(new TypeError('no'))
    }
  })
  for (const [method, name] of [
    [methods.now, 'Error'],
    [methods.later, 'TypeError']
  ] as const) {
    const callInTest = () => method() as unknown
    const error = await errorOf(callInTest)
    t.match(error.stack, new RegExp(`^${name}: no\\n {4}at callInTest .*from-caller\\.test`))
  }
})

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
