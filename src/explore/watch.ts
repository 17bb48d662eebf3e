import { type ControlPlane, originOf } from '../resources/control-plane.js'
import { DELETE, PAUSE, RESIZE, WORKSPACE_TRANSITIONS } from '../resources/workspaces/lifecycle.js'
import type { Arrival, ChosenFault, Sandbox } from '../sandboxes/sandbox.js'
import { listRules, replaceRules } from '../test-control/simulation/transitions.js'
import type { Masking } from './masking.js'
import { type ExploreFault, type Interference, kindOf } from './plans.js'
import { callOf, type NamedRequest, nameOf, namerOf } from './points.js'

const { create: CREATE } = WORKSPACE_TRANSITIONS

/** Holds a request until its client or the server ends. */
const HELD: ChosenFault = { id: 'explore', phase: 'before', effect: { delay: 'PT10M', reply: 'drop' } }

/** Milliseconds that an otherwise instant transition takes: enough to be seen under way. */
export const A_MOMENT = 200
/** Milliseconds that a read takes in virtual time. */
const A_READ = 20

/** A slow transition takes this many times as long. */
const SLOWNESS = 100

interface WatchSettings {
  readonly masking: Masking
  readonly faults: readonly ExploreFault[]
  /** Milliseconds by the sandbox's clock; undefined: no limit. */
  readonly virtualTimeout: number | undefined
  /** Whether to find out which reads the latest write changed. */
  readonly looksBack: boolean
  /** Called when a fault kills the client; its requests are then held. */
  readonly onKill: () => void
  /** Runs the client once more. */
  readonly onBeside: () => Promise<void>
  /** Called when a request comes after the virtual time is up; it is held, too. */
  readonly onOverdue: () => void
}

/** Observes the requests of a sandbox, and injects the faults of a plan. */
export class Watch {
  readonly seen: NamedRequest[] = []
  readonly #plane: ControlPlane
  readonly #sandbox: Sandbox
  readonly #nameOf: ReturnType<typeof namerOf>
  readonly #settings: WatchSettings
  /** By the sandbox's clock. */
  #deadline: number
  /** The requests that met a fault, by fault. */
  readonly hits: readonly NamedRequest[][]
  /** RequestIDs of the reads whose reply the latest write changed. */
  readonly fresh = new Set<string>()
  #isOver = false
  #isBeside = false

  constructor(plane: ControlPlane, sandbox: Sandbox, settings: WatchSettings) {
    this.#plane = plane
    this.#sandbox = sandbox
    this.#settings = settings
    this.#nameOf = namerOf(plane, sandbox, settings.masking)
    this.#deadline = plane.engine.now(sandbox) + (settings.virtualTimeout ?? Infinity)
    this.hits = settings.faults.map(() => [])
    sandbox.chooseFault = (arrival) => this.#choose(arrival)
    if (settings.looksBack) sandbox.onFreshRead = (id) => this.fresh.add(id)
  }

  /** Whether the virtual time is up. */
  get isOverdue(): boolean {
    return this.#plane.engine.now(this.#sandbox) >= this.#deadline
  }

  /** Holds all further requests, because a function cannot be stopped, but must not disturb later runs. */
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
    const request = this.#nameOf(arrival)
    this.seen.push(request)
    const index = faults.findIndex((fault, position) => this.#meets(request, fault, this.hits[position]!))
    if (index < 0) return request.isRepeat ? this.#letTimePass() : undefined
    this.hits[index]!.push(request)
    return this.#inject(faults[index]!, arrival)
  }

  /** Otherwise, a client that polls a short transition without a pause would wait for ever: the clock stands still. */
  async #letTimePass(): Promise<undefined> {
    const { engine } = this.#plane
    const now = engine.now(this.#sandbox)
    if (this.#settings.virtualTimeout === undefined || this.#sandbox.nextDue - now > A_MOMENT) return
    await this.#plane.writeInSlices(originOf(this.#sandbox), () => engine.moveClock(this.#sandbox, now + A_READ))
  }

  #meets({ point, isRepeat }: NamedRequest, fault: ExploreFault, hits: readonly NamedRequest[]): boolean {
    const { tries = 1 } = kindOf(fault)
    if (hits.length > 0) return hits.length < tries && callOf(point) === callOf(fault.point)
    return !isRepeat && nameOf(point) === nameOf(fault.point)
  }

  #inject(fault: ExploreFault, arrival: Arrival): ChosenFault | undefined | Promise<undefined> {
    const { effect, phase = 'before', kills, interference, runsBeside, outcome } = kindOf(fault)
    if (outcome !== undefined) return this.#setOutcome(fault.transition!, outcome, arrival)
    if (interference !== undefined) return this.#interfere(interference, arrival)
    if (runsBeside === true) return this.#runBeside()
    const { retry_after } = fault
    const chosen: ChosenFault = {
      id: 'explore',
      phase,
      effect: { ...effect, ...(retry_after === undefined ? {} : { retry_after }) }
    }
    if (kills !== true) return chosen
    if (phase === 'after-commit') return { ...chosen, onReply: () => this.#kill() }
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

  /** Changes the workspace of a request as somebody else could. */
  async #interfere(how: Interference, { params }: Arrival): Promise<undefined> {
    const { workgroupID, workspaceID } = params as Record<'workgroupID' | 'workspaceID', string>
    const { workspaceLifecycle: lifecycle } = this.#plane
    // The client must see the transition under way.
    const slow = how === 'resize' ? RESIZE : how === 'flap' ? CREATE : undefined
    if (slow !== undefined) await this.#setRule(slow.name, workspaceID, this.#taking(slow.name, 1))
    const done = this.#plane.write(originOf(this.#sandbox), (tx) => {
      const workspace = tx.findWorkspace({ workgroupID, workspaceID })
      if (how === 'flap') {
        const again = { ...workspace, status: CREATE.during }
        tx.workspaces.save(again)
        lifecycle.scheduleFromState(tx, again)
      } else if (how !== 'resize') lifecycle.start(tx, how === 'pause' ? PAUSE : DELETE, workspace)
      else if (workspace.isRw) lifecycle.update(tx, workspace, { enableHa: !workspace.enableHa })
    })
    // A profile may refuse it in this state.
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

  async #setRule(transition: string, workspaceID: string | undefined, effect: object): Promise<undefined> {
    const rule = { transition, times: 1, ...(workspaceID === undefined ? {} : { resource_id: workspaceID }), ...effect }
    const rules = [rule, ...listRules(this.#plane, this.#sandbox)]
    await replaceRules(this.#plane, originOf(this.#sandbox), { rules })
    return undefined
  }

  /** A rule's duration, by which the client's deadline moves, too. */
  #taking(transition: string, times: number): { readonly after: string } {
    const { engine } = this.#plane
    const known = engine.transitions.get(transition)!
    // A multiple of zero would still be zero.
    const usual = engine.boundsOf(known).max || engine.boundsOf(known, 'realistic').max
    this.#deadline += usual * times
    return { after: `PT${(usual * times) / 1000}S` }
  }
}
