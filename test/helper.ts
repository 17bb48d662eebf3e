import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Logger, pino } from 'pino'
import root, { type Test } from 'tap'
import { buildApp } from '../src/http/app.js'
import { profileOf } from '../src/http/brand.js'
import { checkOptions, embeddedDefaults, type Options } from '../src/options.js'
import { Recordings } from '../src/recording/recordings.js'
import type { ControlPlane } from '../src/resources/control-plane.js'
import { openControlPlane } from '../src/test-control/open-control-plane.js'
import { codesOf, type Condition, type Fields, messageOf, type Problem, reasonsOf, type Values } from './messages.js'
import { CONTROLLER } from './operations.js'
import { ALL_OTHER, bodyToWire, fromWire, moved, withoutOther } from './under-words.js'

export { CONTROLLER }

/** The built command line. */
export const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

type Headers = Record<string, string | string[]>

export interface Call {
  /** The API key; `null` sends no credential. */
  readonly key?: string | null
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Headers
  /** By default the controller's. */
  readonly prefix?: string
  readonly remoteAddress?: string
}

export interface Reply {
  readonly status: number
  /** The parsed body, or its text if it is not JSON. Tests compare it by value, so it is untyped. */
  readonly body: Body
  readonly headers: Record<string, unknown>
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see Reply.body
export type Body = any

export interface BuiltMock {
  readonly app: FastifyInstance
  readonly plane: ControlPlane
  /** Only with the option `record`. */
  readonly recordings?: Recordings | undefined
  readonly call: (method: InjectOptions['method'] & string, url: string, options?: Call) => Promise<Reply>
}

/** Runs tests of the interface with other words, paths and fields, which the client of {@link buildMock} translates. */
const isUnderOtherWords = process.env['TEST_OTHER_WORDS'] !== undefined

/** Sends a request over HTTP, with a body in JSON; a text is sent as it is. */
export const sendJson = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
  more: Readonly<RequestInit> = {}
): Promise<Response> =>
  fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...more
  })

/** A server without a socket, closed when the test ends. */
export async function buildMock(
  t: Test,
  options: Partial<Options> = {},
  logger: Logger = pino({ level: 'silent' })
): Promise<BuiltMock> {
  const profile =
    isUnderOtherWords && typeof options.profile !== 'string' ? { profile: { ...ALL_OTHER, ...options.profile } } : {}
  const checked = checkOptions({ ...options, ...profile }, embeddedDefaults())
  const recordings = checked.record === '' ? undefined : new Recordings(checked, logger)
  const plane = openControlPlane(checked, await profileOf(checked), recordings?.newRecorder)
  if (recordings !== undefined) recordings.plane = plane
  const app = await buildApp(plane, checked, logger)
  t.teardown(async () => {
    await close({ app, plane })
    await recordings?.close()
  })

  const call: BuiltMock['call'] = async (
    method,
    url,
    { key = 'test', body, headers = {}, prefix = CONTROLLER, remoteAddress } = {}
  ) => {
    const reply = await app.inject({
      method: method as 'GET',
      url: `${prefix}${url}`,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(remoteAddress === undefined ? {} : { remoteAddress })
    })
    const isJson = method !== 'HEAD' && String(reply.headers['content-type']).startsWith('application/json')
    return { status: reply.statusCode, body: isJson ? JSON.parse(reply.body) : reply.body, headers: reply.headers }
  }
  return { app, plane, recordings, call: isUnderOtherWords ? elsewhere(translated(call)) : call }
}

/** Translates calls and replies of tests, which use built-in names, for an interface with {@link ALL_OTHER_WORDS}. */
export function translated(call: BuiltMock['call']): BuiltMock['call'] {
  return async (method, url, options = {}) => {
    const { body, prefix = CONTROLLER } = options
    const isOfInterface = !prefix.startsWith('/_mock') && !url.startsWith('/_mock')
    const sent = body === undefined || !isOfInterface ? {} : { body: bodyToWire(body) }
    const reply = await call(method, url, { ...options, ...sent })
    return { ...reply, body: JSON.parse(fromWire(JSON.stringify(reply.body))) }
  }
}

/** Does the same for the paths and fields of {@link ALL_OTHER}. */
function elsewhere(call: BuiltMock['call']): BuiltMock['call'] {
  return async (method, url, options = {}) => {
    const { prefix = CONTROLLER } = options
    const reply = await call(method, moved(`${prefix}${url}`), { ...options, prefix: '' })
    return { ...reply, body: withoutOther(reply.body) }
  }
}

/** Lets an application listen on this machine. @returns the port */
export async function portOf(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Closes a server before the test ends. */
export async function close({ app, plane }: Pick<BuiltMock, 'app' | 'plane'>): Promise<void> {
  await app.close()
  plane.close()
}

/** Replaces a method until a test ends. (tap's intercept() records the stack of every call, which is too slow.) */
export function replaceMethod<T extends object, K extends keyof T>(t: Test, object: T, name: K, value: T[K]): void {
  if (t === root) throw new Error('other files share this process: replace it in a test')
  const own = Object.getOwnPropertyDescriptor(object, name)
  Object.defineProperty(object, name, { value, configurable: true, writable: true })
  t.teardown(() => {
    if (own !== undefined) Object.defineProperty(object, name, own)
    else Reflect.deleteProperty(object, name)
  })
}

/** Prevents long work from yielding on a slow machine, for tests of events and records, which would come in parts. */
export function doInOneSlice(t: Test): void {
  replaceMethod(t, performance, 'now', () => 0)
}

/** A test with {@link doInOneSlice}. */
export function testInOneSlice(name: string, body: (t: Test) => Promise<void>): void {
  void root.test(name, async (t) => {
    doInOneSlice(t)
    await body(t)
  })
}

/** Keeps the process alive during a test, as a connection would. */
export function holdConnection(t: Test): void {
  const held = setInterval(() => undefined, 60_000)
  t.teardown(() => clearInterval(held))
}

/** Waits until something is true; the test runner limits the time. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise(setImmediate)
}

/** Waits until the rows of replaced and removed sandboxes have been deleted. */
export function untilRemoved({ plane }: Pick<BuiltMock, 'plane'>): Promise<void> {
  return until(() => !plane.sandboxes.store.hasRemoved())
}

/** Creates a workgroup. @returns its id */
export async function createWorkgroup({ call }: Pick<BuiltMock, 'call'>, options: Call = {}): Promise<string> {
  const { status, body } = await call('POST', '/workgroups', { ...options, body: { cloud_provider_id: 'account' } })
  if (status !== 200) throw new Error(`no workgroup: ${status} ${JSON.stringify(body)}`)
  return body.Result.workgroup_id as string
}

interface ErrorOptions {
  /** For the placeholders of the message. */
  readonly values?: Values
  /** Whether the message is the Result as well. */
  readonly result?: boolean
  /** If it is not that of the condition. */
  readonly status?: number
}

/** Checks an error's status and envelope. @param problem the key of a message in `messages.ts`, or the wrong fields */
export function matchError<C extends Condition>(
  t: Test,
  reply: Reply,
  condition: C,
  problem: Problem<C>,
  options?: ErrorOptions
): void
/** Checks an error that the test itself defines, for example by a fault rule. */
export function matchError(
  t: Test,
  reply: Reply,
  status: number,
  type: string,
  message: string,
  options?: Pick<ErrorOptions, 'result'>
): void
export function matchError(
  t: Test,
  reply: Reply,
  error: Condition | number,
  problem: unknown,
  more: string | ErrorOptions = {},
  { result = false }: Pick<ErrorOptions, 'result'> = {}
): void {
  if (typeof error === 'number') {
    const message = more as string
    matchEnvelope(t, reply, { status: error, type: problem as string, message, fields: { '': message }, result })
  } else {
    const { values, ...options } = more as ErrorOptions
    const message = messageOf(error, problem as Problem<Condition>, values)
    const fields = typeof problem === 'string' ? { '': message } : reasonsOf(problem as Fields, values)
    matchEnvelope(t, reply, { ...codesOf(error), message, fields, result, ...options })
  }
}

function matchEnvelope(
  t: Test,
  reply: Reply,
  expected: { status: number; type: string; message: string; fields: Record<string, string>; result: boolean }
): void {
  const { status, type, message, fields, result } = expected
  t.equal(reply.status, status, `status ${status}`)
  t.strictSame(
    reply.body,
    {
      RequestID: reply.headers['x-request-id'],
      Error: true,
      Message: message,
      ErrorDetails: Object.entries(fields).map(([FieldName, Reason]) => ({ FieldName, Reason, Type: type })),
      Result: result ? message : null
    },
    'the envelope of the error'
  )
  t.match(reply.headers['x-request-id'], /^\S+$/, 'there is a RequestID')
}

/** A field of each item, or several fields as a list. */
export const pluck = (items: Body, ...names: readonly string[]): unknown[] =>
  (items as Body[]).map((item) => (names.length === 1 ? item[names[0]!] : names.map((name) => item[name] as unknown)))

/** Parses text with JSON in each line. */
export const jsonLines = (text: string): Body[] => {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line): Body => JSON.parse(line))
}

/** Checks that a call succeeded, with its whole envelope. */
export function matchSuccess(t: Test, reply: Reply, message: string, result?: unknown): void {
  t.equal(reply.status, 200, 'status 200')
  t.strictSame(
    reply.body,
    {
      RequestID: reply.headers['x-request-id'],
      Error: false,
      Message: message,
      ErrorDetails: null,
      Result: result ?? null
    },
    'the envelope of the reply'
  )
  t.match(reply.headers['x-request-id'], UUID, 'the RequestID is a UUID')
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Command {
  readonly child: ChildProcess
  /** Settles once the process has ended and its output has been read. */
  readonly exited: Promise<Exit>
  readonly output: () => string
  readonly errors: () => string
  /** Waits until the standard output matches. @throws if the process ends before */
  readonly seen: (pattern: RegExp) => Promise<RegExpExecArray>
}

/** Runs the command line as a process, which ends with the test at the latest. */
export function runCommand(
  t: Test,
  args: readonly string[],
  env: Record<string, string> = {},
  node: readonly [string, ...string[]] = [process.execPath]
): Command {
  return runProgram(t, [...node, MAIN, ...args], { ...process.env, ...env })
}

/** Runs a program as a process, which gets a signal when the test ends. */
export function runProgram(
  t: Test,
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  signal: NodeJS.Signals = 'SIGKILL'
): Command {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const exited = new Promise<Exit>((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
  t.teardown(async () => {
    child.kill(signal)
    await exited
  })
  const seen = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(out)
        if (match !== null) resolve(match)
      }
      look()
      child.stdout.on('data', look)
      void exited.then(({ code }) =>
        reject(new Error(`it ended with ${String(code)} before ${String(pattern)}: ${out}${err}`))
      )
    })
  return { child, exited, output: () => out, errors: () => err, seen }
}

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

/** Runs the command line as a process until it ends. */
export async function runToEnd(t: Test, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { exited, output, errors } = runCommand(t, args, env)
  const { code } = await exited
  return { code, out: output(), errors: errors() }
}

/** Runs a command in this process. */
export async function captured(t: Test, command: () => Promise<number>): Promise<Outcome> {
  const [out, errors] = [t.capture(console, 'log'), t.capture(console, 'error')]
  const textOf = (calls: readonly { args: unknown[] }[]) => calls.map(({ args }) => args.join(' ')).join('\n')
  try {
    const code = await command()
    return { code, out: textOf(out()), errors: textOf(errors()) }
  } finally {
    out.restore()
    errors.restore()
  }
}

/** Lets a server listen on a free port until the test ends. @returns its address */
export async function listen(t: Test, server: Server = createServer()): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The address of a stopped server. */
export async function goneAddress(t: Test): Promise<string> {
  const server = createServer()
  const url = await listen(t, server)
  await new Promise((resolve) => server.close(resolve))
  return url
}

/** Starts a server as a process, on a free port. */
export async function startServer(
  t: Test,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  node?: readonly [string, ...string[]]
): Promise<Command & { url: string }> {
  const command = runCommand(t, ['serve', '--port', '0', ...args], env, node)
  const [, url] = await command.seen(/"url":"([^"]+)".*\n/)
  return { ...command, url: url! }
}

/** Whether a process is still there, and not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
