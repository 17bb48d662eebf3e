import { type ControlPlane, originOf } from '../resources/control-plane.js'
import { DELETE, PAUSE, RESIZE, WORKSPACE_TRANSITIONS } from '../resources/workspaces/lifecycle.js'
import type { Arrival, ChosenFault, Sandbox } from '../sandboxes/sandbox.js'
import { listRules, replaceRules } from '../test-control/simulation/transitions.js'
import type { Masking } from './masking.js'
import { type Deed, type ExploreFault, kindOf } from './plans.js'
import { callOf, type Met, nameOf, Namer } from './points.js'

const { create: CREATE } = WORKSPACE_TRANSITIONS

/** Ends with its client, or with the server. */
const HELD: ChosenFault = { id: 'explore', phase: 'before', effect: { delay: 'PT10M', reply: 'drop' } }

/** Milliseconds that a transition takes that takes no time otherwise: enough to be seen under way. */
export const A_MOMENT = 200
/** Milliseconds that a read takes, where time passes only while the client sleeps. */
const A_READ = 20

/** How many times as long a slow transition takes. */
const SLOWNESS = 100

/** What goes wrong in a run, and who is told about it. */
interface WatchSettings {
  readonly masking: Masking
  readonly faults: readonly ExploreFault[]
  /** Milliseconds by the sandbox's clock; undefined: no limit. */
  readonly virtualTimeout: number | undefined
  /** Whether to find out which reads the latest write has changed. */
  readonly looksBack: boolean
  /** Called when a fault ends the client; its requests then wait for ever. */
  readonly onKill: () => void
  /** Runs the client once more. */
  readonly onBeside: () => Promise<void>
  /** Called when a request comes after the virtual time is up. It waits for ever, too. */
  readonly onOverdue: () => void
}

/** Names the requests of a sandbox as they arrive, and injects the faults of a plan. */
export class Watch {
  /** The requests so far. */
  readonly met: Met[] = []
  readonly #plane: ControlPlane
  readonly #sandbox: Sandbox
  readonly #namer: Namer
  readonly #settings: WatchSettings
  /** By the sandbox's clock. */
  #deadline: number
  /** The requests that met each fault. */
  readonly #hits: Met[][]
  /** RequestIDs of the reads that would have been answered otherwise before the latest write. */
  readonly fresh = new Set<string>()
  #isOver = false
  #isBeside = false

  constructor(plane: ControlPlane, sandbox: Sandbox, settings: WatchSettings) {
    this.#plane = plane
    this.#sandbox = sandbox
    this.#settings = settings
    this.#namer = new Namer(plane, sandbox, settings.masking)
    this.#deadline = plane.engine.now(sandbox) + (settings.virtualTimeout ?? Infinity)
    this.#hits = settings.faults.map(() => [])
    sandbox.chooseFault = (arrival) => this.#choose(arrival)
    if (settings.looksBack) sandbox.onFreshRead = (id) => this.fresh.add(id)
  }

  /** The requests that met a fault, by fault. */
  get hits(): readonly (readonly Met[])[] {
    return this.#hits
  }

  /** Whether the client has had all of its virtual time. */
  get isOverdue(): boolean {
    return this.#plane.engine.now(this.#sandbox) >= this.#deadline
  }

  /** Holds what the client still sends: a function cannot be stopped, and must not disturb what comes next. */
  close(): void {
    this.#isOver = true
  }

  #choose(arrival: Arrival): ChosenFault | undefined | Promise<undefined> {
    if (!this.#isOver && this.isOverdue) {
      this.#isOver = true
      this.#settings.onOverdue()
    }
    if (this.#isOver) return HELD
    if (this.#isBeside) return undefined
    const { faults } = this.#settings
    const met = this.#namer.meet(arrival)
    this.met.push(met)
    const index = faults.findIndex((fault, position) => this.#isMet(fault, this.#hits[position]!, met))
    if (index < 0) return met.isRepeat && this.#isSomethingDue ? this.#letTimePass() : undefined
    this.#hits[index]!.push(met)
    return this.#inject(faults[index]!, arrival)
  }

  /** Whether a transition that takes a moment is about to end. */
  get #isSomethingDue(): boolean {
    const isFrozen = this.#settings.virtualTimeout !== undefined
    return isFrozen && this.#sandbox.nextDue - this.#plane.engine.now(this.#sandbox) <= A_MOMENT
  }

  /** Who reads again and again without a pause would wait for ever for a clock that stands still. */
  async #letTimePass(): Promise<undefined> {
    const { engine } = this.#plane
    const then = engine.now(this.#sandbox) + A_READ
    await this.#plane.writeInSlices(originOf(this.#sandbox), () => engine.moveClock(this.#sandbox, then))
    return undefined
  }

  #isMet(fault: ExploreFault, hits: readonly Met[], met: Met): boolean {
    const { tries = 1 } = kindOf(fault)
    if (hits.length > 0) return hits.length < tries && callOf(met.point) === callOf(fault.point)
    return !met.isRepeat && nameOf(met.point) === nameOf(fault.point)
  }

  #inject(fault: ExploreFault, arrival: Arrival): ChosenFault | undefined | Promise<undefined> {
    const { effect, phase = 'before', kills, meddles, isBeside, outcome } = kindOf(fault)
    if (outcome !== undefined) return this.#setOutcome(fault.transition!, outcome, arrival)
    if (meddles !== undefined) return this.#meddle(meddles, arrival)
    if (isBeside === true) return this.#runBeside()
    const { retry_after } = fault
    const chosen: ChosenFault = {
      id: 'explore',
      phase,
      effect: { ...effect, ...(retry_after === undefined ? {} : { retry_after }) }
    }
    if (kills !== true) return chosen
    if (phase === 'after-commit')
      return {
        ...chosen,
        onReply: () => this.#kill()
      }
    this.#kill()
    return chosen
  }

  async #runBeside(): Promise<undefined> {
    this.#isBeside = true
    await this.#settings.onBeside().finally(() => {
      this.#isBeside = false
    })
    return undefined
  }

  #kill(): void {
    this.#isOver = true
    this.#settings.onKill()
  }

  /** Does to the workspace of a request what somebody else could. */
  async #meddle(deed: Deed, { params }: Arrival): Promise<undefined> {
    const { workgroupID, workspaceID } = params as Record<'workgroupID' | 'workspaceID', string>
    const { workspaceLifecycle: lifecycle } = this.#plane
    // It is to be seen.
    const slow = deed === 'resize' ? RESIZE : deed === 'flap' ? CREATE : undefined
    if (slow !== undefined) await this.#setRule(slow.name, workspaceID, this.#taking(slow.name, 1))
    const done = this.#plane.write(originOf(this.#sandbox), (tx) => {
      const workspace = tx.findWorkspace({ workgroupID, workspaceID })
      if (deed === 'flap') {
        const again = { ...workspace, status: CREATE.during }
        tx.workspaces.save(again)
        lifecycle.scheduleFromState(tx, again)
      } else if (deed !== 'resize') lifecycle.start(tx, deed === 'pause' ? PAUSE : DELETE, workspace)
      else if (workspace.isRw) lifecycle.update(tx, workspace, { enableHa: !workspace.enableHa })
    })
    // A profile can refuse it in this state.
    await done.catch(() => undefined)
    return undefined
  }

  #setOutcome(transition: string, outcome: 'fail' | 'hold' | 'slow', { params }: Arrival): Promise<undefined> {
    const workspace = params['workspaceID']
    if (outcome === 'slow') return this.#setRule(transition, workspace, this.#taking(transition, SLOWNESS))
    if (outcome === 'hold') return this.#setRule(transition, workspace, { outcome })
    // It takes as long as it would if it succeeded.
    const usual = listRules(this.#plane, this.#sandbox).find((rule) => rule.transition === transition)
    const after = usual?.after === undefined ? {} : { after: usual.after }
    return this.#setRule(transition, workspace, { ...after, outcome, reason: 'Internal failure.' })
  }

  async #setRule(transition: string, workspaceID: string | undefined, how: object): Promise<undefined> {
    const rule = { transition, times: 1, ...(workspaceID === undefined ? {} : { resource_id: workspaceID }), ...how }
    const rules = [rule, ...listRules(this.#plane, this.#sandbox)]
    await replaceRules(this.#plane, originOf(this.#sandbox), { rules })
    return undefined
  }

  /** The client may wait as much longer as the transition takes. */
  #taking(transition: string, times: number): { readonly after: string } {
    const { engine } = this.#plane
    const known = engine.transitions.get(transition)!
    // A hundred times nothing is nothing.
    const usual = engine.boundsOf(known).max || engine.boundsOf(known, 'realistic').max
    this.#deadline += usual * times
    return { after: `PT${(usual * times) / 1000}S` }
  }
}
