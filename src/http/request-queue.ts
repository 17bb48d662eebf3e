import { FairQueue, type Scheduler, SLICE_MS } from '../lib/scheduler.js'
import { inNextTurn, machineTime } from '../lib/time.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { assertNotRemoved } from '../sandboxes/registry.js'
import type { OnRequest } from './request-context.js'

interface Item {
  readonly flow: unknown
  readonly goOn: () => void
}

/** Continues requests in the next turn of the event loop, fairly between sandboxes; later if the turn gets too long. */
export class RequestQueue {
  readonly #queue = new FairQueue<Item>(machineTime)
  /** When the time of this turn is up; undefined until its first request has continued. */
  #deadline: number | undefined
  /** Number of requests left for a later turn. */
  #left = 0
  // The same for requests of light flows while others must wait.
  #lightDeadline: number | undefined
  #lightLeft = 0

  constructor(private readonly scheduler: Scheduler) {}

  /** @param isLong whether the request waits for others even if its flow, a sandbox, is light */
  add(flow: unknown, goOn: () => void, isLong = false): void {
    if (this.#queue.isEmpty) this.#deadline = undefined
    this.#queue.add(flow, { flow, goOn })
    if (!this.scheduler.isBusy) inNextTurn(this.#next)
    else if (!isLong && this.#queue.isLight(flow)) inNextTurn(this.#nextLight)
    else this.#leave()
  }

  /** Called once per request, so that its follow-up work runs before the next one. */
  readonly #next = (): void => {
    const now = machineTime()
    this.#deadline ??= now + SLICE_MS
    // Requests of light flows that are left must not wait for the scheduler.
    if (now >= this.#deadline) inNextTurn(this.#nextLight)
    else this.#goOn(this.#queue.take(), now)
  }

  /** Requests of light flows do not wait for heavy ones, but take turns with each other. */
  readonly #nextLight = (): void => {
    const now = machineTime()
    if (this.#lightDeadline === undefined) {
      this.#lightDeadline = now + SLICE_MS
      inNextTurn(this.#resumeLight)
    }
    if (now >= this.#lightDeadline) this.#lightLeft++
    // A flow that was light may hold requests added when it was not.
    else if (!this.#goOn(this.#queue.takeLight(), now)) this.#leave()
  }

  readonly #resumeLight = (): void => {
    this.#lightDeadline = undefined
    const left = this.#lightLeft
    this.#lightLeft = 0
    for (let i = 0; i < left; i++) this.#nextLight()
  }

  /** @returns whether there was one */
  #goOn(items: Iterable<Item>, now: number): boolean {
    for (const { flow, goOn } of items) {
      goOn()
      this.#queue.charge(flow, machineTime() - now)
      return true
    }
    return false
  }

  #leave(): void {
    if (this.#left++ === 0) this.scheduler.add(this.#resume)
  }

  readonly #resume = (): void => {
    this.#deadline = undefined
    for (; this.#left > 0; this.#left--) inNextTurn(this.#next)
  }
}

/** Delays a read until due events have run and no sliced change of its sandbox is under way. A write does so itself. */
export function scheduleReads(plane: Pick<ControlPlane, 'mustWait' | 'isHeld' | 'settle' | 'scheduler'>): OnRequest {
  const queue = new RequestQueue(plane.scheduler)

  return (request, _reply, done) => {
    const { enteredSandbox: sandbox, arrival, method } = request
    if (sandbox === undefined || (method !== 'GET' && method !== 'HEAD')) {
      done()
    } else if (plane.mustWait(sandbox, arrival?.at)) {
      settle()
    } else {
      // Send the replies of one event-loop turn together, as group commit does for writes. Answering each read as it
      // comes would wake a waiting client every time, which costs more than the rest of the request.
      queue.add(sandbox, () => {
        // A sliced change may have started.
        if (plane.isHeld(sandbox)) settle()
        else goOn()
      })
    }

    function settle(): void {
      plane.settle(request).then(() => done(), done)
    }

    function goOn(): void {
      try {
        // The sandbox may be gone, and its key reused.
        assertNotRemoved(request.sandbox)
      } catch (error) {
        done(error as Error)
        return
      }
      done()
    }
  }
}
