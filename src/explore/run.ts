import { sandboxIdOf } from '../lib/secrets.js'
import { sleep, toTimestamp } from '../lib/time.js'
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
import type { NamedRequest } from './points.js'
import { A_MOMENT, watch } from './watch.js'

/** The circumstances of one run. */
interface Session {
  /** API key of the run's own sandbox. */
  readonly key: string
  /** Aborted when the time is up or a fault kills the client. */
  readonly signal: AbortSignal
  /** Counts the runs; a run and its recovery have the same number. */
  readonly run: number
  /** Whether it follows a run that was killed or failed. */
  readonly isRecovery: boolean
}

/** How a client ended on its own. */
export type Outcome = { readonly isDone: true } | { readonly isDone: false; readonly reason: string }

/** Runs the client once. Must resolve soon after the signal is aborted, even if the client hangs. */
export type Attempt = (session: Session) => Promise<Outcome>

/** The subject of an exploration. */
export interface Client {
  readonly attempt: Attempt
  /** Runs instead of the client after a run that was killed or failed. */
  readonly recover?: Attempt | undefined
  /** Runs the client in another time zone; absent if that is impossible. */
  readonly elsewhere?: Attempt | undefined
}

type Ending = 'done' | 'failed' | 'hung' | 'killed'

/** A finished run of the client. */
export interface Run {
  /** A run and its recovery have the same number. */
  readonly number: number
  readonly ending: Ending
  /** Why it failed; empty if it did not. */
  readonly reason: string
  /** How the concurrent run ended, if there was one. */
  readonly beside: Outcome | undefined
  /** Whether its virtual time was up. */
  readonly isOverdue: boolean
  /** Whether a transition was under way when the client ended. */
  readonly isUnderWay: boolean
  /** Its requests, in order of arrival. */
  readonly seen: readonly NamedRequest[]
  /** The requests that met a fault, by fault. */
  readonly hits: readonly (readonly NamedRequest[])[]
  /** Its requests in the journal, in order of reply. */
  readonly requests: ReturnType<Sandbox['journal']['requests']>
  /** RequestIDs of the requests that changed something. */
  readonly changing: ReadonlySet<string>
  /** RequestIDs of the reads whose reply the latest write changed; empty unless the run looks back. */
  readonly fresh: ReadonlySet<string>
  readonly end: readonly Resource[]
  readonly sandbox: Sandbox
  readonly key: string
}

/** Limits of one run. */
export interface Limits {
  /** Milliseconds. */
  readonly timeout: number
  /** Milliseconds of virtual time; undefined: time is real. */
  readonly virtualTimeout?: number | undefined
  /** Duration for which the virtual clock stands still while nobody sleeps by it; for ever if absent. */
  readonly patience?: string | undefined
}

interface RunSettings extends Limits {
  readonly masking: Masking
  readonly faults?: readonly ExploreFault[]
  /** Whether instant transitions take a moment instead, so that the client has to wait. */
  readonly hasToWait?: boolean
  /** Whether to find out which reads the latest write changed. */
  readonly looksBack?: boolean
  /** Whether virtual time begins in the next minute, unless something is due before. */
  readonly startsLater?: boolean
  /** The run to recover from. */
  readonly after?: Run
}

/** Runs a client repeatedly, each time in its own sandbox with the same contents. */
export class Runner {
  readonly plane: ControlPlane
  /** Each run begins with this sandbox's baseline. */
  readonly baseline: Sandbox
  /** Number of runs so far. */
  runs = 0

  constructor(plane: ControlPlane, baseline: Sandbox) {
    this.plane = plane
    this.baseline = baseline
  }

  async run(attempt: Attempt, settings: RunSettings): Promise<Run> {
    const { masking, faults = [], looksBack = false, timeout, virtualTimeout, patience, after } = settings
    const number = after?.number ?? this.runs + 1
    this.runs++
    const { key, sandbox } = await this.#fork(after?.sandbox)
    // A recovery starts later.
    if (after !== undefined) await this.finish(sandbox)
    else if (settings.hasToWait === true) await this.#delayTransitions(sandbox)
    if (virtualTimeout !== undefined) {
      const later = this.plane.engine.now(sandbox) + LATER
      const now = settings.startsLater === true && sandbox.nextDue > later ? { now: toTimestamp(later) } : {}
      const setting = { mode: 'frozen', ...now, ...(patience !== undefined && { patience }) } as const
      await setClock(this.plane, originOf(sandbox), setting)
    }
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
    const watched = watch(this.plane, sandbox, {
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
    watched.close()
    const isOverdue = watched.isOverdue()
    const isUnderWay = this.plane.engine.isAnyUnderWay(sandbox)
    // Transitions that the client did not wait for are judged by how they end.
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
      isUnderWay,
      seen: watched.seen,
      hits: watched.hits,
      requests: sandbox.journal.requests(),
      changing,
      fresh: watched.fresh,
      end: await this.endOf(sandbox, masking),
      sandbox,
      key
    }
  }

  /** Reads the resources of a sandbox after its due events. */
  async endOf(sandbox: Sandbox, masking: Masking): Promise<Resource[]> {
    if (this.plane.engine.isDue(sandbox)) await this.plane.write(originOf(sandbox), () => undefined)
    return resourcesOf(await readState(this.plane, sandbox), masking)
  }

  /** Lets all transitions end, even held ones, as the service would eventually. */
  async release(run: Run, masking: Masking): Promise<Run> {
    await releaseHeld(this.plane, originOf(run.sandbox), {})
    await this.finish(run.sandbox)
    return { ...run, end: await this.endOf(run.sandbox, masking) }
  }

  /** Lets time pass until all transitions that are not held have ended. */
  async finish(sandbox: Sandbox): Promise<void> {
    const { engine } = this.plane
    // Most sandboxes are at rest, and `nextDue` is cheaper to read than the transitions.
    for (let round = 0; round < MOST_ROUNDS && sandbox.nextDue < Infinity; round++) {
      const end = engine.underWay(sandbox).reduce((latest, { due }) => Math.max(latest, due ?? 0), 0)
      if (end === 0) return
      await this.plane.writeInSlices(originOf(sandbox), () => engine.moveClock(sandbox, end))
    }
  }

  /** Removes the sandbox of a run in the background, unless its client may still use it. */
  forget({ ending, sandbox }: Run): void {
    sandbox.journal.clear()
    // The server may close first.
    if (ending === 'done' || ending === 'failed') this.plane.sandboxes.remove(sandbox).catch(() => undefined)
  }

  async #delayTransitions(sandbox: Sandbox): Promise<void> {
    const { engine } = this.plane
    const instant = [...engine.transitions.values()].filter((transition) => engine.boundsOf(transition).max === 0)
    // A retry after a lost reply must not be refused because the first attempt is still under way.
    const repeatable = instant.filter(({ from, noopFrom, during }) => from.length === 0 || noopFrom.includes(during))
    const rules = repeatable.map(({ name }) => ({ transition: name, after: `PT${A_MOMENT / 1000}S` }))
    await replaceRules(this.plane, originOf(sandbox), { rules: [...listRules(this.plane, sandbox), ...rules] })
  }

  /** Copies a sandbox, or the baseline, under a key that leftover processes of a client do not have. */
  async #fork(source: Sandbox | undefined): Promise<{ key: string; sandbox: Sandbox }> {
    if (source !== undefined) await saveSnapshot(this.plane, originOf(source), SNAPSHOT)
    const from = source === undefined ? BASELINE : SNAPSHOT
    const { key } = await forkSandbox(this.plane, source ?? this.baseline, { from })
    return { key, sandbox: await this.plane.sandboxes.open(sandboxIdOf(key), false) }
  }
}

/** Milliseconds, so that a client uses another time of day. */
const LATER = 61_000

/** How often the end of one transition may begin another one. */
const MOST_ROUNDS = 10

/** The snapshot from which a recovery starts. */
const SNAPSHOT = 'explore'
