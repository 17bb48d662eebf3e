import type { ControlPlane } from '../control-plane.js'
import type { Arrival, ChosenFault, Sandbox } from '../sandboxes/sandbox.js'
import { listRules, replaceRules } from '../test-control/simulation/transitions.js'
import type { Masking } from './masking.js'
import { kindOf, type PlannedFault } from './plans.js'
import { callOf, type Met, nameOf, Namer } from './points.js'

/** Ends with its client, or with the server. */
const HELD: ChosenFault = { id: 'explore', phase: 'before', effect: { delay: 'PT10M', reply: 'drop' } }

/** Names the requests of a sandbox as they arrive, and injects the faults of a plan. */
export class Watch {
  /** The requests so far. */
  readonly met: Met[] = []
  readonly #plane: ControlPlane
  readonly #sandbox: Sandbox
  readonly #namer: Namer
  readonly #faults: readonly PlannedFault[]
  readonly #onKill: () => void
  /** The requests that met each fault. */
  readonly #hits: Met[][]
  #isOver = false

  /** @param onKill called when a fault ends the client; its requests then wait for ever */
  constructor(
    plane: ControlPlane,
    sandbox: Sandbox,
    plan: { readonly masking: Masking; readonly faults: readonly PlannedFault[]; readonly onKill: () => void }
  ) {
    this.#plane = plane
    this.#sandbox = sandbox
    this.#namer = new Namer(plane, sandbox, plan.masking)
    this.#faults = plan.faults
    this.#onKill = plan.onKill
    this.#hits = plan.faults.map(() => [])
    sandbox.chooseFault = (arrival) => this.#choose(arrival)
  }

  /** The requests that met a fault, by fault. */
  get hits(): readonly (readonly Met[])[] {
    return this.#hits
  }

  /** Holds what the client still sends: a function cannot be stopped, and must not disturb what comes next. */
  close(): void {
    this.#isOver = true
  }

  #choose(arrival: Arrival): ChosenFault | undefined | Promise<undefined> {
    if (this.#isOver) return HELD
    const met = this.#namer.meet(arrival)
    this.met.push(met)
    const index = this.#faults.findIndex((fault, position) => this.#isMet(fault, this.#hits[position]!, met))
    if (index < 0) return undefined
    this.#hits[index]!.push(met)
    return this.#inject(this.#faults[index]!, arrival)
  }

  #isMet(fault: PlannedFault, hits: readonly Met[], met: Met): boolean {
    if (hits.length > 0) return kindOf(fault).isForGood === true && callOf(met.point) === callOf(fault.point)
    return !met.isRepeat && nameOf(met.point) === nameOf(fault.point)
  }

  #inject(fault: PlannedFault, arrival: Arrival): ChosenFault | undefined | Promise<undefined> {
    const { effect, phase = 'before', kills, outcome } = kindOf(fault)
    if (outcome !== undefined) return this.#setRule(fault.transition!, outcome, arrival)
    const chosen = { id: 'explore', phase, effect: effect! }
    if (kills !== true) return chosen
    if (phase === 'after-commit')
      return {
        ...chosen,
        onReply: () => {
          this.#kill()
        }
      }
    this.#kill()
    return chosen
  }

  #kill(): void {
    this.#isOver = true
    this.#onKill()
  }

  async #setRule(transition: string, outcome: 'fail' | 'hold', { params }: Arrival): Promise<undefined> {
    const sandbox = this.#sandbox
    const { workspaceID } = params
    const rule = {
      transition,
      outcome,
      times: 1,
      ...(workspaceID === undefined ? {} : { resource_id: workspaceID }),
      ...(outcome === 'fail' ? { reason: 'Internal failure.' } : {})
    }
    const rules = [rule, ...listRules(this.#plane, sandbox)]
    await replaceRules(this.#plane, { sandbox, id: sandbox.requestIds.uuid() }, { rules })
    return undefined
  }
}
