import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { handleClientError, handleErrors } from '../../src/http/error-handler.js'
import { ServiceError } from '../../src/interface/errors.js'
import { logLines } from '../log-lines.js'

/** A connection that collects the text written to it, with the reply that is being sent on it, if any. */
function open({ writable = true, reply }: { writable?: boolean; reply?: EventEmitter | null } = {}) {
  const texts: string[] = []
  let isDestroyed = false
  const socket = {
    writable,
    _httpMessage: reply,
    end: (text: string) => texts.push(text),
    destroy: () => (isDestroyed = true)
  } as unknown as Socket
  const fail = (code: string) => handleClientError(() => 'id')(Object.assign(new Error('no HTTP'), { code }), socket)
  return { fail, texts, isDestroyed: () => isDestroyed }
}

const replyTo = (complete: boolean) => Object.assign(new EventEmitter(), { req: { complete } })

void t.test('a request that does not arrive in time is a 408 in the envelope', async (t) => {
  const { fail, texts, isDestroyed } = open()
  fail('ERR_HTTP_REQUEST_TIMEOUT')
  t.equal(texts.length, 1)
  t.match(texts[0], /^HTTP\/1\.1 408 \S[^]*\r\n\r\n\{"RequestID":"id","Error":true,"Message":"[^"]* in time\."/)
  t.notOk(isDestroyed())
})

void t.test('a client that has gone, or can no longer read, is not answered', async (t) => {
  for (const [code, writable] of [
    ['ECONNRESET', true],
    ['HPE_INVALID_METHOD', false]
  ] as const) {
    const { fail, texts, isDestroyed } = open({ writable })
    fail(code)
    t.ok(isDestroyed(), code)
    t.strictSame(texts, [])
  }
})

void t.test('an earlier request is answered first, unless it is the one that is broken', async (t) => {
  const earlier = replyTo(true)
  const behind = open({ reply: earlier })
  behind.fail('HPE_INVALID_METHOD')
  t.strictSame(behind.texts, [])
  earlier.req.complete = false
  earlier.emit('close')
  await new Promise(setImmediate)
  t.equal(behind.texts.length, 1)

  for (const reply of [null, replyTo(false)]) {
    const { fail, texts } = open({ reply })
    fail('HPE_INVALID_CONTENT_LENGTH')
    t.equal(texts.length, 1)
  }
})

/** A server whose only handler throws what is given. @returns the reply, and what was logged about it */
function serve(t: Test, level?: string) {
  const { lines, logger } = logLines(level)
  const app = Fastify({ genReqId: () => 'id' })
  app.setErrorHandler(handleErrors(logger))
  let thrown: Error
  app.get('/', () => {
    throw thrown
  })
  t.teardown(() => app.close())
  return async (error: Error) => {
    thrown = error
    lines.length = 0
    const { statusCode: status, body } = await app.inject('/')
    return { status, body, lines: [...lines] }
  }
}

void t.test("Fastify's errors below 500 are the client's, and only the server's own are logged", async (t) => {
  const failWith = serve(t, 'error')
  for (const [error, status, type] of [
    [{ name: 'FastifyError', statusCode: 400 }, 400, 'Bad-Request'],
    [{ name: 'FastifyError', statusCode: 499 }, 400, 'Bad-Request'],
    [{ name: 'FastifyError', statusCode: 500 }, 500, 'Internal-Error'],
    [{ name: 'FastifyError' }, 500, 'Internal-Error'],
    [{ name: 'Error', statusCode: 400 }, 500, 'Internal-Error'],
    [{ code: 'FST_ERR_CTP_BODY_TOO_LARGE' }, 413, 'Bad-Request'],
    [{ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }, 415, 'Bad-Request']
  ] as const) {
    const reply = await failWith(Object.assign(new Error('secret detail'), error))
    t.equal(reply.status, status)
    t.match(JSON.parse(reply.body), { Error: true, RequestID: 'id', ErrorDetails: [{ FieldName: '', Type: type }] })
    t.equal(reply.lines.length, status === 500 ? 1 : 0, JSON.stringify(error))
    if (status === 500) t.notMatch(reply.body, 'secret detail')
  }
})

void t.test('without file descriptors, the server is unavailable', async (t) => {
  const { status, body } = await serve(t)(Object.assign(new Error(), { code: 'EMFILE' }))
  t.equal(status, 503)
  t.match(JSON.parse(body), { Error: true, Message: /file descriptors/ })
})

void t.test('a deliberate refusal is a warning without a stack in the log, and a bug an error with one', async (t) => {
  const failWith = serve(t)
  for (const [condition, logged] of [
    ['unavailable', [{ level: 40, RequestID: 'id', msg: 'No.', err: undefined }]],
    ['internal', [{ level: 50, RequestID: 'id', msg: 'No.', err: { stack: /\n +at / } }]],
    ['notAllowed', []]
  ] as const) {
    const { lines } = await failWith(new ServiceError(condition, 'No.'))
    t.match(lines, logged)
    t.equal(lines.length, logged.length)
  }
})
