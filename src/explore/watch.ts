import { type ControlPlane, originOf } from '../resources/control-plane.js'
import { DELETE, PAUSE, RESIZE, WORKSPACE_TRANSITIONS } from '../resources/workspaces/lifecycle.js'
import type { Arrival, ChosenFault, Sandbox } from '../sandboxes/sandbox.js'
import { listRules, replaceRules } from '../test-control/simulation/transitions.js'
import type { Masking } from './masking.js'
import { type ExploreFault, HELD, type Interference, kindOf } from './plans.js'
import { callOf, type NamedRequest, nameOf, namerOf } from './points.js'

const { create: CREATE } = WORKSPACE_TRANSITIONS

/** Holds a request until its client or the server ends. */
const HELD_REQUEST: ChosenFault = { id: 'explore', phase: 'before', effect: HELD }

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
export function watch(plane: ControlPlane, sandbox: Sandbox, settings: WatchSettings) {
  const { engine, workspaceLifecycle: lifecycle } = plane
  const { masking, faults, virtualTimeout, looksBack, onKill, onBeside, onOverdue } = settings
  const toNamed = namerOf(plane, sandbox, masking)
  const seen: NamedRequest[] = []
  /** The requests that met a fault, by fault. */
  const hits = faults.map((): NamedRequest[] => [])
  /** RequestIDs of the reads whose reply the latest write changed. */
  const fresh = new Set<string>()
  /** By the sandbox's clock. */
  let deadline = engine.now(sandbox) + (virtualTimeout ?? Infinity)
  let isOver = false
  let isBeside = false
  sandbox.chooseFault = choose
  if (looksBack) sandbox.onFreshRead = (id) => fresh.add(id)
  return {
    seen,
    hits,
    fresh,
    /** Whether the virtual time is up. */
    isOverdue,
    /** Holds all further requests, because a function cannot be stopped, but must not disturb later runs. */
    close: () => {
      isOver = true
    }
  }

  function isOverdue(): boolean {
    return engine.now(sandbox) >= deadline
  }

  function choose(arrival: Arrival): ChosenFault | undefined | Promise<undefined> {
    if (!isOver && isOverdue()) {
      isOver = true
      onOverdue()
    }
    if (isOver) return HELD_REQUEST
    if (isBeside) return undefined
    const request = toNamed(arrival)
    seen.push(request)
    const index = faults.findIndex((fault, position) => meets(request, fault, hits[position]!))
    if (index < 0) return request.isRepeat ? letTimePass() : undefined
    hits[index]!.push(request)
    return inject(faults[index]!, arrival)
  }

  /** Otherwise, a client that polls a short transition without a pause would wait for ever: the clock stands still. */
  async function letTimePass(): Promise<undefined> {
    const now = engine.now(sandbox)
    if (virtualTimeout === undefined || sandbox.nextDue - now > A_MOMENT) return
    await plane.writeInSlices(originOf(sandbox), () => engine.moveClock(sandbox, now + A_READ))
  }

  function inject(fault: ExploreFault, arrival: Arrival): ChosenFault | undefined | Promise<undefined> {
    const { effect, phase = 'before', kills, interference, runsBeside, outcome } = kindOf(fault)
    if (outcome !== undefined) return setOutcome(fault.transition!, outcome, arrival)
    if (interference !== undefined) return interfere(interference, arrival)
    if (runsBeside === true) return runBeside()
    const { retry_after } = fault
    const chosen: ChosenFault = {
      id: 'explore',
      phase,
      effect: { ...effect, ...(retry_after === undefined ? {} : { retry_after }) }
    }
    if (kills !== true) return chosen
    if (phase === 'after-commit') return { ...chosen, onReply: kill }
    kill()
    return chosen
  }

  async function runBeside(): Promise<undefined> {
    isBeside = true
    await onBeside().finally(() => {
      isBeside = false
    })
    return undefined
  }

  function kill(): void {
    isOver = true
    onKill()
  }

  /** Changes the workspace of a request as somebody else could. */
  async function interfere(how: Interference, { params }: Arrival): Promise<undefined> {
    const { workgroupID, workspaceID } = params as Record<'workgroupID' | 'workspaceID', string>
    // The client must see the transition under way.
    const slow = how === 'resize' ? RESIZE : how === 'flap' ? CREATE : undefined
    if (slow !== undefined) await setRule(slow.name, workspaceID, taking(slow.name, 1))
    const done = plane.write(originOf(sandbox), (tx) => {
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

  function setOutcome(transition: string, outcome: 'fail' | 'hold' | 'slow', { params }: Arrival): Promise<undefined> {
    const workspace = params['workspaceID']
    if (outcome === 'slow') return setRule(transition, workspace, taking(transition, SLOWNESS))
    if (outcome === 'hold') return setRule(transition, workspace, { outcome })
    // It takes as long as it would if it succeeded.
    const usual = listRules(plane, sandbox).find((rule) => rule.transition === transition)
    const after = usual?.after === undefined ? {} : { after: usual.after }
    return setRule(transition, workspace, { ...after, outcome, reason: 'Internal failure.' })
  }

  async function setRule(transition: string, workspaceID: string | undefined, effect: object): Promise<undefined> {
    const rule = { transition, times: 1, ...(workspaceID === undefined ? {} : { resource_id: workspaceID }), ...effect }
    await replaceRules(plane, originOf(sandbox), { rules: [rule, ...listRules(plane, sandbox)] })
    return undefined
  }

  /** A rule's duration, by which the client's deadline moves, too. */
  function taking(transition: string, times: number): { readonly after: string } {
    const known = engine.transitions.get(transition)!
    // A multiple of zero would still be zero.
    const usual = engine.boundsOf(known).max || engine.boundsOf(known, 'realistic').max
    deadline += usual * times
    return { after: `PT${(usual * times) / 1000}S` }
  }
}

function meets({ point, isRepeat }: NamedRequest, fault: ExploreFault, hits: readonly NamedRequest[]): boolean {
  const { tries = 1 } = kindOf(fault)
  if (hits.length > 0) return hits.length < tries && callOf(point) === callOf(fault.point)
  return !isRepeat && nameOf(point) === nameOf(fault.point)
}
