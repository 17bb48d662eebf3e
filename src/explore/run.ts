import { sandboxIdOf } from '../lib/keys.js'
import { sleep } from '../lib/time.js'
import { type ControlPlane, originOf } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { setClock } from '../test-control/clock/clock.js'
import { forkSandbox } from '../test-control/sandboxes/forks.js'
import { BASELINE } from '../test-control/sandboxes/schemas.js'
import { saveSnapshot } from '../test-control/sandboxes/snapshots.js'
import { readState } from '../test-control/sandboxes/state.js'
import { listRules, releaseHeld, replaceRules } from '../test-control/simulation/transitions.js'
import { type Resource, resourcesOf } from './end-state.js'
import type { Masking } from './masking.js'
import { type ExploreFault, isLong } from './plans.js'
import type { Met } from './points.js'
import { A_MOMENT, Watch } from './watch.js'

/** What a client gets for one run. */
interface Session {
  /** API key of a sandbox of its own. */
  readonly key: string
  /** Aborted when the run is over, because its time is up or the client was to be killed. */
  readonly signal: AbortSignal
  /** Counts the runs; a run and what recovers from it have the same number. */
  readonly run: number
  /** Whether it recovers from a run that was killed or failed. */
  readonly isRecovery: boolean
}

/** How a client ended by itself. */
export type Outcome = { readonly isDone: true } | { readonly isDone: false; readonly reason: string }

/** Runs the client once. Must resolve soon after the signal is aborted, whatever the client does. */
export type Attempt = (session: Session) => Promise<Outcome>

/** What is explored. */
export interface Client {
  readonly attempt: Attempt
  /** Runs after a run that was killed or failed, instead of the client itself. */
  readonly recover?: Attempt | undefined
}

/** How a run ended. */
type Ending = 'done' | 'failed' | 'hung' | 'killed'

/** A run of the client, and what it left. */
export interface Ran {
  /** That of the run; what recovers from it has the same. */
  readonly number: number
  readonly ending: Ending
  /** Why it failed; empty if it did not. */
  readonly reason: string
  /** How the run ended that went on beside it, if there was one. */
  readonly beside: Outcome | undefined
  /** Whether it has had all of its virtual time. */
  readonly isOverdue: boolean
  /** Its requests, in the order of their arrival. */
  readonly met: readonly Met[]
  /** The requests that met a fault, by fault. */
  readonly hits: readonly (readonly Met[])[]
  /** Its requests as the journal has them, in the order of the replies. */
  readonly requests: ReturnType<Sandbox['journal']['requests']>
  /** RequestIDs of the requests that changed something. */
  readonly changing: ReadonlySet<string>
  /** RequestIDs of the reads that would have been answered otherwise before the latest write, if anybody asked. */
  readonly fresh: ReadonlySet<string>
  /** What there is at the end. */
  readonly end: readonly Resource[]
  /** Its sandbox, and the key of that. */
  readonly sandbox: Sandbox
  readonly key: string
}

/** How long a run may take before it is given up. */
export interface Limits {
  /** Milliseconds. */
  readonly timeout: number
  /** Milliseconds by the sandbox's clock, which jumps while the client sleeps; undefined: time is real. */
  readonly virtualTimeout?: number | undefined
  /** Duration for which that clock stands still while nobody sleeps by it; for ever if absent. */
  readonly patience?: string | undefined
}

/** How to run a client. */
interface RunSettings extends Limits {
  readonly masking: Masking
  readonly faults?: readonly ExploreFault[]
  /** Whether transitions that take no time otherwise take a moment, so that the client has to wait. */
  readonly hasToWait?: boolean
  /** Whether plans will be made from it. */
  readonly looksBack?: boolean
  /** The run that this one recovers from. */
  readonly after?: Ran
}

/** Runs a client again and again, each time in a sandbox of its own that begins like all others. */
export class Runner {
  readonly plane: ControlPlane
  /** The sandbox with whose baseline each run begins. */
  readonly baseline: Sandbox
  /** Number of runs so far. */
  runs = 0

  constructor(plane: ControlPlane, baseline: Sandbox) {
    this.plane = plane
    this.baseline = baseline
  }

  async run(attempt: Attempt, settings: RunSettings): Promise<Ran> {
    const {
      masking,
      faults = [],
      hasToWait = false,
      looksBack = false,
      timeout,
      virtualTimeout,
      patience,
      after
    } = settings
    const number = after?.number ?? this.runs + 1
    this.runs++
    const { key, sandbox } = await this.#fork(after?.sandbox)
    // Who is run again comes later.
    if (after !== undefined) await this.finish(sandbox)
    else if (hasToWait) await this.#delayTransitions(sandbox)
    if (virtualTimeout !== undefined)
      await setClock(this.plane, originOf(sandbox), { mode: 'frozen', ...(patience !== undefined && { patience }) })
    const client = new AbortController()
    const over = new AbortController()
    let ending: Ending | undefined
    const stop = (why: Ending) => {
      ending ??= why
      client.abort()
    }
    let beside: Outcome | undefined
    const runBeside = async () => {
      const goOn = sandbox.sleepers?.setAside()
      const run = ++this.runs
      beside = await attempt({ key, signal: client.signal, run, isRecovery: false })
      goOn?.()
    }
    const watch = new Watch(this.plane, sandbox, {
      masking,
      faults,
      virtualTimeout,
      looksBack,
      onBeside: runBeside,
      onKill: () => stop('killed'),
      onOverdue: () => stop('hung')
    })
    void sleep(timeout, over.signal).then(() => {
      if (!over.signal.aborted) stop('hung')
    })
    const session = { key, signal: client.signal, run: number, isRecovery: after !== undefined }
    const outcome = await attempt(session).finally(() => over.abort())
    watch.close()
    const { isOverdue } = watch
    // What the client did not wait for is judged by what becomes of it.
    if (ending === undefined && !faults.some(isLong)) await this.finish(sandbox)
    const changing = new Set(
      sandbox.journal
        .records()
        .filter(({ notes }) => notes.some(({ fired, changes }) => fired === undefined && changes.length > 0))
        .map(({ id }) => id)
    )
    return {
      number,
      ending: ending ?? (outcome.isDone ? 'done' : 'failed'),
      reason: outcome.isDone || ending !== undefined ? '' : outcome.reason,
      beside,
      isOverdue,
      met: watch.met,
      hits: watch.hits,
      requests: sandbox.journal.requests(),
      changing,
      fresh: watch.fresh,
      end: await this.endOf(sandbox, masking),
      sandbox,
      key
    }
  }

  /** Reads what there is in a sandbox, once everything due has happened. */
  async endOf(sandbox: Sandbox, masking: Masking): Promise<Resource[]> {
    if (this.plane.engine.isDue(sandbox)) await this.plane.write(originOf(sandbox), () => undefined)
    return resourcesOf(await readState(this.plane, sandbox), masking)
  }

  /** Lets all transitions end, as the service would in the end, also those that a plan has held. */
  async release(ran: Ran, masking: Masking): Promise<Ran> {
    await releaseHeld(this.plane, originOf(ran.sandbox), {})
    await this.finish(ran.sandbox)
    return { ...ran, end: await this.endOf(ran.sandbox, masking) }
  }

  /** Lets time pass until no transition is under way that ends by itself. */
  async finish(sandbox: Sandbox): Promise<void> {
    const { engine } = this.plane
    // Most sandboxes are at rest, and looking for transitions takes longer.
    for (let round = 0; round < MOST_ROUNDS && sandbox.nextDue < Infinity; round++) {
      const end = engine.underWay(sandbox).reduce((latest, { due }) => Math.max(latest, due ?? 0), 0)
      if (end === 0) return
      await this.plane.writeInSlices(originOf(sandbox), () => engine.moveClock(sandbox, end))
    }
  }

  /** Lets others than the client use the sandbox of a run. */
  reopen({ sandbox }: Ran): void {
    sandbox.chooseFault = undefined
  }

  /** Removes the sandbox of a run some time, unless its client may still use it. */
  forget({ ending, sandbox }: Ran): void {
    sandbox.journal.clear()
    // Nobody needs to wait for it, and the server may close before.
    if (ending === 'done' || ending === 'failed') this.plane.sandboxes.remove(sandbox).catch(() => undefined)
  }

  async #delayTransitions(sandbox: Sandbox): Promise<void> {
    const { engine } = this.plane
    const instant = [...engine.transitions.values()].filter((transition) => engine.boundsOf(transition).max === 0)
    // Who has lost a reply tries again, and must not be refused because the first try is still under way.
    const repeatable = instant.filter(({ from, noopFrom, during }) => from.length === 0 || noopFrom.includes(during))
    const rules = repeatable.map(({ name }) => ({ transition: name, after: `PT${A_MOMENT / 1000}S` }))
    await replaceRules(this.plane, originOf(sandbox), { rules: [...listRules(this.plane, sandbox), ...rules] })
  }

  /** A sandbox like another one, or like the baseline, with a key that what is left of a client does not have. */
  async #fork(like: Sandbox | undefined): Promise<{ key: string; sandbox: Sandbox }> {
    if (like !== undefined) await saveSnapshot(this.plane, originOf(like), NAME)
    const { key } = await forkSandbox(this.plane, like ?? this.baseline, {
      from: like === undefined ? BASELINE : NAME
    })
    return { key, sandbox: await this.plane.sandboxes.open(sandboxIdOf(key), false) }
  }
}

/** How often the end of one transition may begin another one. */
const MOST_ROUNDS = 10

/** Name of the snapshot of a sandbox whose run is to be recovered from. */
const NAME = 'explore'
