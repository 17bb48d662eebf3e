import t from 'tap'
import {
  type Condition,
  databaseFull,
  ERROR_TYPES,
  ERRORS,
  errorsTable,
  fieldNotAllowed,
  found,
  invalidBody,
  notFound,
  ServiceError
} from '../../src/interface/errors.js'
import { read, split } from '../doc-parts.js'

void t.test('the conditions are those of docs/assumptions.md, and their types those of the interface', async (t) => {
  t.equal(split(read('docs/assumptions.md'), 'errors')[1], `\n${errorsTable()}\n`)
  const thrown = new Set<string>(Object.values(ERRORS).map(({ type }) => type))
  t.strictSame(
    ERROR_TYPES.filter((type) => !thrown.has(type)),
    ['API-Disabled', 'Unknown'],
    'only a fault gives these'
  )
  for (const type of thrown) t.ok((ERROR_TYPES as readonly string[]).includes(type), type)
})

void t.test('an error has the status and the type of its condition', async (t) => {
  for (const condition of Object.keys(ERRORS) as Condition[]) {
    const error = new ServiceError(condition, 'It is so.')
    t.equal(error.status, ERRORS[condition].status)
    t.strictSame(error.details, [{ FieldName: '', Reason: 'It is so.', Type: ERRORS[condition].type }])
    t.match(error, { name: 'ServiceError', message: 'It is so.', condition })
    t.equal(error.guardId, undefined)
  }
  const error = new ServiceError('notAllowed', 'No.', [{ field: 'a.0', reason: 'is wrong' }], 'a rule')
  t.strictSame(error.details, [{ FieldName: 'a.0', Reason: 'is wrong', Type: 'Bad-Request' }])
  t.equal(error.guardId, 'a rule')
})

void t.test('only an unexpected error has a stack, and the limit for others stays as it was', async (t) => {
  const before = Error.stackTraceLimit
  t.match(new ServiceError('internal', 'x').stack, /\n +at /)
  t.notMatch(new ServiceError('notFound', 'x').stack, /\n +at /)
  t.equal(Error.stackTraceLimit, before)
})

void t.test('a record that was looked up is there, or it is a 404 that names what is missing', async (t) => {
  const record = { id: 'a' }
  t.equal(found(record, 'workspace', 'a'), record)
  t.throws(
    () => {
      found(undefined, 'workspace', 'abc')
    },
    { condition: 'notFound', message: /workspace abc/ }
  )
  t.match(notFound('backup', 'b-1'), { condition: 'notFound', message: /backup b-1/ })
})

void t.test('a rule about one field names it, and a full database the option that limits it', async (t) => {
  const error = fieldNotAllowed('name', 'is taken')
  t.match(error, { condition: 'notAllowed', message: /name is taken/ })
  t.strictSame(error.details, [{ FieldName: 'name', Reason: 'is taken', Type: 'Bad-Request' }])
  t.match(databaseFull(), { condition: 'databaseFull', message: /--max-database-bytes.+raise the limit/ })
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
