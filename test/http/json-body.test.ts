import t from 'tap'
import { readJson } from '../../src/http/json-body.js'
import { ServiceError } from '../../src/interface/errors.js'
import { finish } from '../../src/lib/scheduler.js'
import { messageOf, reasonOf } from '../messages.js'

interface Given {
  readonly depth?: number
  readonly memory?: number
  readonly refusal?: ServiceError
}

/** Reads a body. @returns its value or the error, and the numbers of bytes for which it asked */
function read(body: string | Buffer, { depth = 10, memory = Infinity, refusal }: Given = {}) {
  const asked: number[] = []
  const askForRoom = (bytes: number) => {
    asked.push(bytes)
    return refusal
  }
  try {
    const value = finish(readJson(Buffer.from(body), { depth, memory, askForRoom }))
    return { value, asked, error: undefined, field: undefined, reason: undefined }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const [detail] = error.details
    return { value: undefined, asked, error, field: detail?.FieldName, reason: detail?.Reason }
  }
}

const BROKEN = ['{', '[1 2]', 'x', '{"a":1}}'].map((text) => text.padEnd(20))

void t.test('a body that is not JSON is refused, and one that is not UTF-8 for that reason', async (t) => {
  for (const text of [...BROKEN, ...BROKEN.map((broken) => `[${'1,'.repeat(40_000)}${broken}`)])
    t.equal(read(text).error?.message, messageOf('invalidBody', 'notJson'), text.slice(-20))
  const byte = (text: string) => Buffer.from(text.replaceAll('?', '\xff'), 'latin1')
  for (const text of ['"?"', '["?",1,2,3,4,5]', `["?",${'1,'.repeat(40_000)}1]`, `["?",${'1,'.repeat(40_000)}{]`])
    t.equal(read(byte(text)).error?.message, messageOf('invalidBody', 'notUtf8'), text.slice(0, 20))
  t.equal(read('"\ufffd"').value, '\ufffd')
  t.strictSame(read('["\ufffd",1,2,3,4]').value, ['\ufffd', 1, 2, 3, 4])
})

void t.test('a body asks for the memory that it takes once parsed, unless it is short', async (t) => {
  t.strictSame(read('[1,2,3,4]').asked, [])
  const { asked, value } = read('[1,2,3,4,5]')
  t.strictSame(value, [1, 2, 3, 4, 5])
  t.equal(asked.length, 1)
  const [cost] = asked as [number]
  t.equal(read('[1,2,3,4,5]', { memory: cost }).error, undefined)
  t.equal(read('[1,2,3,4,5]', { memory: cost - 1 }).error?.message, messageOf('bodyTooLarge', 'memory'))
  const refusal = new ServiceError('unavailable', 'full')
  t.equal(read('[1,2,3,4,5]', { refusal }).error, refusal)
})

void t.test('a value that cannot be stored is refused by the name of its field', async (t) => {
  const number = reasonOf('number')
  const unicode = reasonOf('unicode')
  for (const [body, field, reason] of [
    ['1e400', '', number],
    ['{"a":-1E+400}', 'a', number],
    ['{"a":[0,1e0400]}', 'a.1', number],
    [`[${'9'.repeat(210)}e99]`, '0', number],
    ['"\\ud800"', '', unicode],
    ['"\\uDfff"', '', unicode],
    ['{"a":{"b":"\\udBFF"}}', 'a.b', unicode],
    ['{"\\ud800":1}', '', unicode],
    ['{"a":[{"\\ud800":1}]}', 'a.0', unicode],
    ['[null,{"a":null},"\\ud800"]', '2', unicode]
  ] as const) {
    const found = read(body)
    t.strictSame([found.field, found.reason], [field, reason], body.slice(-20))
  }
  const long = '9'.repeat(308)
  for (const body of [
    `[${long},${long}]`,
    '[1e308,-1e308,1e-999]',
    '"\\ud83d\\ude80"',
    '{"a":"\\ud83d\\ude80 1e400"}',
    '[1e0003]'
  ])
    t.strictSame(read(body).value, JSON.parse(body))
})

void t.test('a name that would reach into prototypes is refused, and nothing else is', async (t) => {
  for (const [body, field] of [
    ['{"__proto__":1}', '__proto__'],
    ['\ufeff{"__proto__":1}', '__proto__'],
    ['{"a":[{"__proto__":1}]}', 'a.0.__proto__'],
    ['{"\\u005f\\u005Fproto__":1}', '__proto__'],
    ['{"__\\u0070roto__":1}', '__proto__'],
    ['{"constr\\u0075ctor":{"prototype":1}}', 'constructor'],
    ['{"constructor":{"prototype":1}}', 'constructor'],
    ['{"constructor":null,"a":{"__proto__":1}}', 'a.__proto__'],
    ['{"constructor":5,"a":{"__proto__":1}}', 'a.__proto__'],
    ['{"constructor":{"a":1},"__proto__":1}', '__proto__'],
    ['{"prototype":1,"a":{"__proto__":1}}', 'a.__proto__']
  ] as const) {
    const found = read(body)
    t.strictSame([found.field, found.reason], [field, reasonOf('fieldName')], body)
  }
  t.equal(read('"__proto__" ').value, '__proto__')
  for (const body of ['{"__proto__":1', '{\ufeff"__proto__":1}'])
    t.equal(read(body).error?.message, messageOf('invalidBody', 'notJson'), body)
})
