// Virtual time for a Node program, loaded before it by `svc-mock run --virtual-time`. Timers and clocks follow the
// sandbox's clock: while this thread is idle, it reports its next timer to the server, whose clock jumps there once
// every client sleeps. Needs nothing but Node.
import { AsyncResource } from 'node:async_hooks'
import childProcess from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import vm from 'node:vm'
import { getEnvironmentData, setEnvironmentData, threadId } from 'node:worker_threads'

const { SVC_MOCK_URL: ADDRESS, SVC_MOCK_KEY: KEY = '', SVC_MOCK_TOKEN: TOKEN = '' } = process.env

/** Milliseconds for which the clocks stand still while the program works. Then they run, so that busy waiting ends. */
const PATIENCE = 2000
/** Milliseconds between two checks whether the program is idle. */
const LOOK = 5
const LONGEST_DELAY = 2 ** 31 - 1

const RealDate = Date
const nanoseconds = process.hrtime.bigint
/** Milliseconds by a clock that all threads share. */
const realTime = () => Number(nanoseconds()) / 1e6
const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate }

async function install() {
  const server = new Server()
  let clock
  try {
    clock = new Clock(await server.call('GET', '/_mock/clock'))
  } catch (error) {
    process.stderr.write(`svc-mock: no virtual time, because ${ADDRESS} does not answer: ${error.message}\n`)
    return
  }
  server.close()
  const schedule = new Schedule(clock, server)
  replaceClocks(clock)
  replaceTimers(schedule)
  followChildren(clock, schedule)
  syncBuiltinESMExports()
}

/** The time as the program sees it: that of the server, whose clock runs or stands still. */
class Clock {
  /** The time set, from which real time on it goes on, and its rate. All threads share it, so that they agree. */
  #state = getEnvironmentData('svc-mock clock') ?? new Float64Array(new SharedArrayBuffer(24))

  constructor(reply) {
    setEnvironmentData('svc-mock clock', this.#state)
    this.set(reply)
  }

  get now() {
    const [time, from, rate] = this.#state
    return time + Math.max(0, Math.floor((realTime() - from) * rate))
  }

  /** Real milliseconds until it shows a moment, unless it is set before. */
  delayUntil(moment) {
    const [time, from, rate] = this.#state
    return Math.max(0, (moment - time) / rate + from - realTime())
  }

  /** Sets the clock by a reply, but never back. */
  set({ now, mode, rate }) {
    const time = Math.max(RealDate.parse(now), this.now)
    this.#state.set(mode === 'real' ? [time, realTime(), rate] : [time, realTime() + PATIENCE, 1])
  }
}

/** A client of the control API, with a connection that the program's tools do not see. */
class Server {
  #socket
  #isBusy = false

  /** Uses another connection if a call whose reply is no longer needed is still under way. */
  call(method, path, body) {
    if (this.#socket === undefined || this.#isBusy || this.#socket.destroyed) {
      // The former call may end only after the server has this one.
      const former = this.#socket
      const { hostname, port } = new URL(ADDRESS)
      this.#socket = connect({ host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 80), noDelay: true })
      this.#socket.on('error', () => undefined)
      if (former !== undefined) this.#socket.once('data', () => former.destroy())
    }
    const socket = this.#socket
    this.#isBusy = true
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = [
      `${method} ${path} HTTP/1.1`,
      `host: ${new URL(ADDRESS).host}`,
      ...(KEY === '' ? [] : [`x-api-key: ${KEY}`]),
      ...(TOKEN === '' ? [] : [`x-mock-token: ${TOKEN}`]),
      ...(text === '' ? [] : ['content-type: application/json']),
      `content-length: ${Buffer.byteLength(text)}`
    ]
    return new Promise((resolve, reject) => {
      const pieces = []
      const end = (settle, value) => {
        socket.off('data', read).off('close', fail)
        if (socket === this.#socket) this.#isBusy = false
        settle(value)
      }
      const fail = () => end(reject, new Error('the connection was closed'))
      const read = (piece) => {
        pieces.push(piece)
        const reply = Buffer.concat(pieces).toString()
        const [, head, rest] = /^(.*?)\r\n\r\n(.*)$/s.exec(reply) ?? []
        if (head === undefined || Buffer.byteLength(rest) < Number(/^content-length: (\d+)/im.exec(head)?.[1])) return
        const { Message, Result } = JSON.parse(rest)
        if (/^HTTP\/1.1 200 /.test(head)) end(resolve, Result)
        else end(reject, new Error(Message))
      }
      socket.on('data', read).on('close', fail)
      socket.write(`${headers.join('\r\n')}\r\n\r\n${text}`)
    })
  }

  /** Lets the program end without waiting for the server. */
  unref() {
    this.#socket?.unref()
  }

  close() {
    this.#socket?.destroy()
    this.#socket = undefined
    this.#isBusy = false
  }
}

/** Takes the place of Node's `Timeout`, which `setTimeout()` and `setInterval()` return. */
class Timeout extends AsyncResource {
  isReferenced = true

  constructor(schedule, callback, args, delay, isRepeated) {
    super('Timeout')
    Object.assign(this, { schedule, callback, args, delay, isRepeated })
    this.start()
  }

  start() {
    this.due = this.schedule.clock.now + this.delay
    this.schedule.add(this)
  }

  ref() {
    this.isReferenced = true
    this.schedule.changed()
    return this
  }

  unref() {
    this.isReferenced = false
    this.schedule.changed()
    return this
  }

  hasRef() {
    return this.isReferenced
  }

  refresh() {
    this.schedule.remove(this)
    this.start()
    return this
  }

  close() {
    this.schedule.remove(this)
    // A refresh does not revive it.
    this.callback = () => undefined
    return this
  }

  [Symbol.toPrimitive]() {
    return this.schedule.idOf(this)
  }

  [Symbol.dispose ?? Symbol('dispose')]() {
    this.close()
  }
}

/** The program's timers, in order of due time. */
class Schedule {
  #timers = []
  #ids = new Map()
  #nextId = 1e12
  /** Number of requests under way, by any of Node's clients. */
  #requests = 0
  /** The moment reported to the server; undefined while the program is awake. */
  #reported
  #isLooking = false
  #isRunning = false
  /** Fires if the server does not move the clock, and keeps the program running while its timers should. */
  #fallback
  #looker
  #failures = 0
  /** Whether the server is gone, so that time is real. */
  #isLost = false

  constructor(clock, server) {
    this.clock = clock
    this.server = server
    const underWay = new WeakSet()
    const begin = ({ request }) => {
      underWay.add(request)
      this.#requests++
    }
    const end = ({ request }) => {
      if (!underWay.delete(request)) return
      this.#requests--
      this.look()
    }
    subscribe('undici:request:create', begin)
    subscribe('undici:request:trailers', end)
    subscribe('undici:request:error', end)
    subscribe('http.client.request.start', ({ request }) => {
      begin({ request })
      request.once('close', () => end({ request }))
    })
  }

  add(timer) {
    let place = this.#timers.length
    while (place > 0 && this.#timers[place - 1].due > timer.due) place--
    this.#timers.splice(place, 0, timer)
    this.changed()
  }

  remove(timer) {
    const place = this.#timers.indexOf(timer)
    if (place < 0) return
    this.#timers.splice(place, 1)
    this.#ids.delete(timer.id)
    this.changed()
  }

  /** A number that stands for a timer, larger than Node's. */
  idOf(timer) {
    timer.id ??= this.#nextId++
    this.#ids.set(timer.id, timer)
    return timer.id
  }

  timerOf(id) {
    return this.#ids.get(Number(id))
  }

  /** Must be called after each change of a timer. */
  changed() {
    real.clearTimeout(this.#fallback)
    this.#fallback = undefined
    const [first] = this.#timers
    if (first !== undefined) {
      const delay = Math.min(this.clock.delayUntil(first.due), LONGEST_DELAY)
      this.#fallback = real.setTimeout(() => this.#run(), delay)
      if (!this.#timers.some((timer) => timer.isReferenced)) this.#fallback.unref()
    }
    this.look()
  }

  /** Checks soon whether the program is idle. */
  look() {
    if (this.#isLooking || this.#isLost) return
    this.#isLooking = true
    // Data that was read is passed on in the next turn; promises settle in between.
    real.setImmediate(() => real.setImmediate(() => this.#look()))
  }

  #look() {
    this.#isLooking = false
    if (this.#isRunning) return
    real.clearTimeout(this.#looker)
    const resources = process.getActiveResourcesInfo()
    if (this.#requests > 0 || resources.some((name) => UNDER_WAY.test(name))) {
      if (this.#timers.length > 0) this.#looker = real.setTimeout(() => this.look(), LOOK).unref()
      return
    }
    // A program that runs others, such as a test runner, waits for them, and its timers limit that in real time.
    const hasOthers = resources.includes('ProcessWrap') || (threadId === 0 && resources.includes('MessagePort'))
    const ours = this.#timers.filter(({ isSleep }) => isSleep === true || !hasOthers)
    // An unreferenced timer may still be due first, and end the wait for another one.
    if (ours.some(({ isReferenced }) => isReferenced)) void this.#sleep(Math.ceil(ours[0].due))
    else {
      if (this.#reported !== undefined) this.server.close()
      this.#reported = undefined
      // If the program stays idle, rather than pausing between two steps, it must not hold up other clients.
      this.#looker = real.setTimeout(() => this.#leave(), 4 * LOOK).unref()
    }
  }

  /** While the thread waits for a child, it must not hold that up. */
  pause() {
    this.server.close()
    this.#reported = undefined
    this.look()
  }

  #leave() {
    if (this.#requests === 0 && this.#reported === undefined && !this.#isRunning) this.server.close()
  }

  async #sleep(until) {
    if (this.#reported === until) return
    this.#reported = until
    try {
      const participant = `node ${process.pid} ${threadId}`
      const called = this.server.call('POST', '/_mock/clock/sleep', {
        participant,
        until: new RealDate(until).toISOString()
      })
      this.server.unref()
      this.clock.set(await called)
      this.#failures = 0
    } catch {
      if (this.#reported !== until) return
      // An idle connection may have been closed.
      this.#isLost = ++this.#failures > 3
    }
    if (this.#reported !== until) return
    this.#reported = undefined
    this.#run()
  }

  /** Runs due timers, each in its own turn of the event loop, as Node does. */
  #run() {
    if (this.#isRunning) return
    this.#isRunning = true
    real.setImmediate(() => this.#runNext())
  }

  #runNext() {
    const [timer] = this.#timers
    if (timer === undefined || timer.due > this.clock.now) {
      this.#isRunning = false
      this.changed()
      return
    }
    this.#timers.shift()
    real.setImmediate(() => this.#runNext())
    if (timer.isRepeated) timer.start()
    timer.runInAsyncScope(timer.callback, timer, ...timer.args)
  }
}

/** Resources of pending work, such as looking up a name, connecting, or reading a file. */
const UNDER_WAY = /Req(?:Wrap|Callback|Promise)?$|^FSReq|ConnectWrap$|Request$|^Zlib/

function replaceClocks(clock) {
  const now = () => clock.now
  const replaceDate = (scope) => {
    const value = new Proxy(scope.Date, {
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
      apply: (target) => new target(now()).toString()
    })
    value.now = now
    value.prototype.constructor = value
    // Not enumerable: programs list what their context has.
    Reflect.defineProperty(scope, 'Date', { value, configurable: true, writable: true })
  }
  replaceDate(globalThis)
  // Jest runs each test file in a context of its own.
  const { createContext } = vm
  vm.createContext = (...args) => {
    const hasOwn = Object.hasOwn(args[0] ?? {}, 'Date')
    const context = createContext(...args)
    if (!hasOwn) replaceDate(vm.runInContext('globalThis', context))
    return context
  }
  const [begin, first] = [performance.now(), now()]
  Object.defineProperty(performance, 'now', {
    value: () => begin + (now() - first),
    configurable: true,
    writable: true
  })
}

function replaceTimers(schedule) {
  const start = (original, isRepeated) => {
    const replaced = (callback, delay, ...args) => {
      const milliseconds = Number(delay)
      const isLong = milliseconds > 1 && milliseconds <= LONGEST_DELAY
      // Timers of Node's own code limit its connections, and are real, as are those of a moment.
      if (typeof callback !== 'function' || (!isLong && !isRepeated) || isCalledByNode(replaced))
        return original(callback, delay, ...args)
      return new Timeout(schedule, callback, args, isLong ? milliseconds : 1, isRepeated)
    }
    return replaced
  }
  const stop = (original) => (timer) => {
    const own = timer instanceof Timeout ? timer : schedule.timerOf(timer)
    if (own === undefined) original(timer)
    else own.close()
  }
  const sleep = (delay, value, { signal, ref = true } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) throw aborted(signal)
      const timer = new Timeout(schedule, done, [], Math.max(1, Number(delay) || 1), false)
      timer.isSleep = true
      if (!ref) timer.unref()
      const stopped = () => {
        timer.close()
        reject(aborted(signal))
      }
      signal?.addEventListener('abort', stopped, { once: true })
      function done() {
        signal?.removeEventListener('abort', stopped)
        resolve(value)
      }
    })
  async function* ticks(delay, value, options) {
    // Its pace does not depend on the work between two of them.
    for (let due = schedule.clock.now; ;) {
      due += Math.max(1, Number(delay) || 1)
      yield await sleep(due - schedule.clock.now, value, options)
    }
  }
  const replaced = {
    setTimeout: start(real.setTimeout, false),
    setInterval: start(real.setInterval, true),
    clearTimeout: stop(real.clearTimeout),
    clearInterval: stop(real.clearInterval)
  }
  Object.defineProperty(replaced.setTimeout, promisify.custom, { value: sleep })
  const { timeout } = AbortSignal
  AbortSignal.timeout = (delay) => {
    // Node reports the error.
    if (!(delay >= 0 && delay <= Number.MAX_SAFE_INTEGER)) return timeout.call(AbortSignal, delay)
    const controller = new AbortController()
    const message = 'The operation was aborted due to timeout'
    const abort = () => controller.abort(new DOMException(message, 'TimeoutError'))
    const timer = new Timeout(schedule, abort, [], Math.max(1, delay), false)
    timer.isSleep = true
    timer.unref()
    return controller.signal
  }
  Object.assign(globalThis, replaced)
  Object.assign(timers, replaced)
  Object.assign(timersPromises, { setTimeout: sleep, setInterval: ticks })
  timersPromises.scheduler.wait = (delay, options) => sleep(delay, undefined, options)
}

/** Lets the clock catch up before this program learns that a child has ended. */
function followChildren(clock, schedule) {
  for (const name of ['execFileSync', 'execSync', 'spawnSync']) {
    const original = childProcess[name]
    childProcess[name] = (...args) => {
      schedule.pause()
      return original(...args)
    }
  }
  process.on('worker', (worker) => worker.once('exit', () => schedule.look()))
  const { ChildProcess } = childProcess
  const { emit } = ChildProcess.prototype
  const last = new WeakMap()
  ChildProcess.prototype.emit = function (name, ...args) {
    if (name !== 'exit' && name !== 'close') return emit.call(this, name, ...args)
    const server = new Server()
    const done = (last.get(this) ?? server.call('GET', '/_mock/clock').then((reply) => clock.set(reply)))
      .catch(() => undefined)
      .then(() => {
        server.close()
        // An error thrown by a listener must not reject this promise.
        real.setImmediate(() => {
          schedule.look()
          emit.call(this, name, ...args)
        })
      })
    last.set(this, done)
    return true
  }
}

function aborted(signal) {
  const error = new Error('The operation was aborted', { cause: signal.reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}

/** Whether Node's own code called a function. */
function isCalledByNode(called) {
  const { prepareStackTrace, stackTraceLimit } = Error
  try {
    Error.stackTraceLimit = 1
    Error.prepareStackTrace = (_, [site]) => site?.getFileName()
    const place = {}
    Error.captureStackTrace(place, called)
    return place.stack?.startsWith('node:') === true
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  }
}

if (ADDRESS?.startsWith('http:')) await install()
