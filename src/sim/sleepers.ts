import { ServiceError } from '../interface/errors.js'
import { inNextTurn, sleepBeside } from '../lib/time.js'
import type { ClockState } from './clock.js'

/** Maximum number of participants of one clock. */
export const PARTICIPANT_LIMIT = 10_000

/**
 * Turns of the event loop without a request before time passes: a request that a client sent just before it went to
 * sleep may still be on its way, on a connection that must be accepted first.
 */
const QUIET_TURNS = 4

interface SleeperPorts {
  /** The clock, and the time that it shows. */
  readonly read: () => { readonly clock: ClockState; readonly now: number }
  /** Moves the clock, or stops it at a time, and runs the events due by then. @param cause RequestID of the sleeper */
  readonly move: (to: number, cause: string, stops: boolean) => Promise<void>
  /** Lets it run in real time. */
  readonly run: () => Promise<void>
}

/** Part of a client that is either awake or asleep: a process, or a thread. */
interface Participant {
  readonly name: string
  /** Aborted when its connection is closed; undefined before its first call. */
  connection: AbortSignal | undefined
  /** Called when its connection is closed. */
  readonly leave: () => void
  /** undefined while it is awake. */
  rest: Rest | undefined
}

interface Rest {
  /** When to wake up; `Infinity`: when another call wakes it. */
  readonly until: number
  /** RequestID of the call that waits. */
  readonly cause: string
  readonly wake: () => void
  readonly fail: (error: Error) => void
  readonly participant: Participant
}

/**
 * Virtual time for clients that wait for moments of a sandbox's clock. While the clock stands still, it jumps to the
 * next of these moments as soon as all participants sleep and no request is under way. If one of them stays awake, time
 * passes for the others as in reality, so that none waits forever.
 */
export class Sleepers {
  readonly #participants = new Map<string, Participant>()
  /** Sleepers with a time to wake up, in that order. A linear search is fast enough for {@link PARTICIPANT_LIMIT}. */
  readonly #asleep: Rest[] = []
  #sleeping = 0
  #requests = 0
  #wereUsed = false
  #isMoving = false
  #patience: number | undefined
  /** Ends the wait until all participants sleep. */
  #waiting: AbortController | undefined
  /** Ends the wait for the earliest moment by the machine's clock. */
  #timer: { readonly clock: ClockState; readonly rest: Rest; readonly end: AbortController } | undefined

  constructor(private readonly ports: SleeperPorts) {}

  /**
   * Sets how long the clock stands still while there are no participants, or one is awake. Then it runs until all
   * sleep.
   * @param patience milliseconds; undefined: it stands still forever
   */
  setPatience(patience: number | undefined): void {
    this.#waiting?.abort()
    this.#waiting = undefined
    this.#patience = patience
    this.#awaitSleep()
  }

  #awaitSleep(): void {
    const isStill = this.#patience !== undefined && this.ports.read().clock.mode === 'frozen'
    if (!isStill || (this.#sleeping > 0 && this.#sleeping === this.#participants.size)) {
      this.#waiting?.abort()
      this.#waiting = undefined
      return
    }
    if (this.#waiting !== undefined) return
    const { signal } = (this.#waiting = new AbortController())
    const run = async () => {
      if (signal.aborted) return
      this.#waiting = undefined
      await this.ports.run()
    }
    // It fails if the sandbox is gone or the disk is full.
    void sleepBeside(this.#patience!, signal)
      .then(run)
      .catch(() => undefined)
  }

  /** Whether any participant has ever slept. */
  get wereUsed(): boolean {
    return this.#wereUsed
  }

  /** Number of participants. */
  get size(): number {
    return this.#participants.size
  }

  /**
   * Waits until a moment has come. From its first call until its connection closes, the caller is a participant, awake
   * unless it waits here. Another call by the same participant ends the wait.
   * @throws {ServiceError} if the connection or the sandbox ends first, or if there are too many participants
   */
  async sleep(name: string, until: number, connection: AbortSignal, cause: string): Promise<void> {
    if (connection.aborted) throw gone()
    const participant = this.#participant(name, connection)
    this.#rouse(participant)
    if (until <= this.ports.read().now) return
    await new Promise<void>((wake, fail) => {
      const rest = { until, cause, wake, fail, participant }
      participant.rest = rest
      this.#wereUsed = true
      this.#sleeping++
      if (until < Infinity) this.#asleep.splice(this.#asleep.findLastIndex((one) => one.until <= until) + 1, 0, rest)
      this.look()
    })
  }

  /** Until {@link endRequest}, the clock must not jump. */
  beginRequest(): void {
    this.#requests++
  }

  endRequest(): void {
    this.#requests--
    this.look()
  }

  /** Ignores the participants that are awake, and the requests under way. @returns a function that ends this */
  setAside(): () => void {
    const awake = [...this.#participants.values()].filter(({ rest }) => rest === undefined)
    const requests = this.#requests
    for (const { name } of awake) this.#participants.delete(name)
    this.#requests = 0
    return () => {
      this.#requests += requests
      for (const one of awake) if (one.connection?.aborted === false) this.#participants.set(one.name, one)
    }
  }

  /** Call it after any change: wakes the participants whose time has come, and lets time pass. */
  look(): void {
    const { clock, now } = this.ports.read()
    while (this.#asleep[0] !== undefined && this.#asleep[0].until <= now) this.#rouse(this.#asleep[0].participant)
    this.#setTimer(clock, now)
    this.#awaitSleep()
    if (this.#isQuiet()) void this.#pass()
  }

  /** Ends all waits, because the sandbox is gone. */
  end(): void {
    this.setPatience(undefined)
    for (const participant of [...this.#participants.values()]) this.#forget(participant, gone())
  }

  #participant(name: string, connection: AbortSignal): Participant {
    const participant = this.#participants.get(name) ?? this.#newParticipant(name)
    // A client may alternate between connections, and must not leave a listener behind on each.
    participant.connection?.removeEventListener('abort', participant.leave)
    participant.connection = connection
    connection.addEventListener('abort', participant.leave)
    return participant
  }

  #newParticipant(name: string): Participant {
    if (this.#participants.size >= PARTICIPANT_LIMIT)
      throw new ServiceError('quotaExceeded', `There are ${PARTICIPANT_LIMIT} participants already.`)
    const leave = () => this.#forget(participant, gone())
    const participant: Participant = { name, connection: undefined, leave, rest: undefined }
    this.#participants.set(name, participant)
    return participant
  }

  #forget(participant: Participant, error: Error): void {
    if (this.#participants.get(participant.name) === participant) this.#participants.delete(participant.name)
    const { rest, connection, leave } = participant
    connection?.removeEventListener('abort', leave)
    if (rest !== undefined) {
      this.#end(rest)
      rest.fail(error)
    }
    this.look()
  }

  #rouse({ rest }: Participant): void {
    if (rest === undefined) return
    this.#end(rest)
    rest.wake()
  }

  #end(rest: Rest): void {
    rest.participant.rest = undefined
    this.#sleeping--
    if (rest.until < Infinity) this.#asleep.splice(this.#asleep.indexOf(rest), 1)
  }

  /** Whether time may jump. */
  #isQuiet(): boolean {
    if (this.#asleep.length === 0 || this.#requests > 0 || this.#sleeping < this.#participants.size) return false
    return this.#patience !== undefined || this.ports.read().clock.mode !== 'real'
  }

  /** Moves the clock to the next moment, unless a participant or a request interferes. */
  async #pass(): Promise<void> {
    if (this.#isMoving) return
    this.#isMoving = true
    for (let turn = 0; turn < QUIET_TURNS && this.#isQuiet(); turn++) await new Promise(inNextTurn)
    if (this.#isQuiet()) await this.#move()
    this.#isMoving = false
    if (this.#isQuiet()) this.look()
  }

  async #move(): Promise<void> {
    const [next] = this.#asleep
    if (next === undefined) return
    try {
      await this.ports.move(next.until, next.cause, this.ports.read().clock.mode === 'real')
    } catch (error) {
      this.#forget(next.participant, error as Error)
    }
  }

  /** Makes the earliest moment come by the machine's clock even if a participant stays awake. */
  #setTimer(clock: ClockState, now: number): void {
    const [rest] = this.#asleep
    if (this.#timer?.rest === rest && this.#timer?.clock === clock) return
    this.#timer?.end.abort()
    this.#timer = undefined
    if (rest === undefined) return
    const end = new AbortController()
    this.#timer = { clock, rest, end }
    void this.#wait(Math.ceil((rest.until - now) / (clock.mode === 'real' ? clock.rate : 1)), end.signal)
  }

  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await sleepBeside(milliseconds, signal)
    if (signal.aborted) return
    this.#timer = undefined
    if (this.ports.read().clock.mode !== 'real') await this.#move()
    this.look()
  }
}

function gone(): ServiceError {
  return new ServiceError(
    'unavailable',
    'The wait has ended: the connection was closed, the sandbox removed, or the server stopped.'
  )
}
