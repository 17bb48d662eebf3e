import t from 'tap'
import { invalidBody, ServiceError } from '../../src/interface/errors.js'

void t.test('only an unexpected error has a stack, and the stack limit does not change', async (t) => {
  const before = Error.stackTraceLimit
  t.match(new ServiceError('internal', 'x').stack, /\n +at /)
  t.notMatch(new ServiceError('notFound', 'x').stack, /\n +at /)
  t.equal(Error.stackTraceLimit, before)
})

void t.test('an invalid body names 20 fields in its message, lists a thousand, and counts the others', async (t) => {
  const bodyWith = (count: number) =>
    invalidBody(Array.from({ length: count }, (_, index) => ({ field: `f${index}`, reason: 'is wrong' })))
  const fieldsIn = (message: string) => message.match(/f\d+ is wrong/g)?.length
  for (const [count, named, rest] of [
    [1, 1, undefined],
    [20, 20, undefined],
    [21, 20, '1 more'],
    [1000, 20, '980 more'],
    [1001, 20, 'at least 981 more']
  ] as const) {
    const { condition, message, details } = bodyWith(count)
    t.equal(condition, 'invalidBody')
    t.equal(fieldsIn(message), named)
    t.equal(/; ((?:at least )?\d+ more)\.$/.exec(message)?.[1], rest, `${count} fields`)
    t.equal(details.length, Math.min(count, 1000))
    t.match(details.at(-1), { FieldName: `f${Math.min(count, 1000) - 1}`, Type: 'Bad-Request' })
  }
  t.match(bodyWith(2).message, /: f0 is wrong; f1 is wrong\.$/)
  t.match(invalidBody([{ field: '', reason: 'is missing' }]), {
    message: /the body is missing\.$/,
    details: [{ FieldName: '', Reason: 'is missing' }]
  })
})
