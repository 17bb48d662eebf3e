import type { FaultEffect } from '../test-control/handle/types.js'

// The types of this file refer to no package either: see result.ts.

/** Where something goes wrong: a request, named so that the name holds in every run. */
export interface ExplorePoint {
  /** operationId. */
  readonly operation: string
  /** Names of the resource and of what it is in, such as `main/writer`; empty for the whole org. */
  readonly resource: string
  /** For a read of a workspace: its state. */
  readonly state?: string
  /** Digest of the body and the query. */
  readonly digest: string
  /** Counts the requests with the same name, from 1. */
  readonly occurrence: number
}

/** What goes wrong at a point. */
export interface ExploreFault {
  readonly kind: PlanName
  readonly point: ExplorePoint
  /** For a transition: its name. */
  readonly transition?: string
  /** For an error with `Retry-After`: its seconds. */
  readonly retry_after?: number
}

/** What somebody else, or the service itself, can do to a workspace. */
export type Deed = 'delete' | 'pause' | 'resize' | 'flap'

/** One thing that can go wrong at a point. */
interface PlanKind {
  /** Calls that it is for: those that change something, reads, or those that begin a transition. */
  readonly of: 'write' | 'read' | 'transition'
  /** The fault; absent for a transition. */
  readonly effect?: FaultEffect
  /** Whether the operation is carried out all the same. */
  readonly phase?: 'after-commit'
  /** How many tries of the call meet it; one if absent. */
  readonly tries?: number
  /** Whether its error has `Retry-After`. */
  readonly asksForPatience?: true
  /** The client ends without a trace, before or after the call is carried out. */
  readonly kills?: true
  /** What somebody else does to the workspace before it is read. */
  readonly meddles?: Deed
  /** A client may not know then what there is to clean up. The next run has no fault, and can look. */
  readonly blinds?: true
  /** Only for reads that the latest write has changed. */
  readonly isForFresh?: true
  /** Only for the first call: it shows something about all of them, and takes long. */
  readonly isForFirst?: true
  /** Only for a creation of what was deleted before. */
  readonly isForRemade?: true
  /** The client runs once more, from beginning to end, before the call is carried out. */
  readonly isBeside?: true
  /** Only if it is asked for by name. */
  readonly isForTheAsking?: true
  /** How the transition ends. */
  readonly outcome?: 'fail' | 'hold' | 'slow'
  /** What happens to a call, as the first part of a sentence; `CALL` stands for the call. */
  readonly story: string
  /** What a right client does. */
  readonly expects: string
}

const UNAVAILABLE = { status: 503, reason: 'Service unavailable.' } as const
const DENIED = { status: 403, reason: 'Access denied.' } as const
const TOO_MANY = { status: 429, reason: 'Too many requests.' } as const
const FAILED_IN_BODY = { status: 200, reason: 'Internal error.' } as const

/** A held request ends with its client, or with the server. */
const HELD = { delay: 'PT10M', reply: 'drop' } as const

/** How many tries an outage takes. */
const OUTAGE = 3
/** How many reads do not show yet what was made. */
const LATE_READS = 5

const LOOK = 'looks whether the work is done before it tries again; or fails, and the next run finds what is there'
const TRY_AGAIN = 'tries again after a pause; or fails, and the next run finds what is there'
const WAIT = 'waits as long as `Retry-After` says, and tries again; or fails'
const STOP = 'fails without trying again for long, and removes or keeps in mind what it made'

/** An error that answers a call although it is carried out. */
const carriedOut = (status: number, reason: string): PlanKind => ({
  of: 'write',
  phase: 'after-commit',
  effect: { status, reason },
  story: `a ${status} answered CALL although it was carried out`,
  expects: LOOK
})

/** How often an error answers a call, or that it asks for patience. */
const HOW = {
  once: {},
  'three times': { tries: OUTAGE },
  'every time': { tries: Infinity },
  patiently: { asksForPatience: true }
} as const

/** An error that answers a call which is not carried out. */
const refused = (
  of: PlanKind['of'],
  effect: { readonly status: number; readonly reason: string },
  how: keyof typeof HOW,
  expects: string
): PlanKind => ({
  of,
  effect,
  ...HOW[how],
  story: {
    once: `a ${effect.status} answered CALL`,
    patiently: `a ${effect.status} with Retry-After answered CALL`,
    'three times': `a ${effect.status} answered CALL three times`,
    'every time': `a ${effect.status} answered CALL every time`
  }[how],
  expects
})

/** What can go wrong, the most telling first. Those of a read cost little, so a client gets all of them. */
const PLAN_KINDS = named({
  lost: {
    of: 'write',
    phase: 'after-commit',
    effect: { reply: 'drop' },
    story: 'the reply to CALL was lost',
    expects: LOOK
  },
  'transition-fails': {
    of: 'transition',
    outcome: 'fail',
    story: 'the transition that CALL began failed',
    expects: 'notices the state, and fails or begins again without leaving the failed one behind'
  },
  'killed-after': {
    of: 'write',
    phase: 'after-commit',
    effect: HELD,
    kills: true,
    story: 'the client was killed before it got the reply to CALL',
    expects: 'finds by its name, when run again, what the killed run has made'
  },
  'error-after': carriedOut(500, 'Internal error.'),
  'timeout-after': carriedOut(504, 'Gateway timeout.'),
  'gateway-after': carriedOut(502, 'Bad gateway.'),
  'request-timeout-after': carriedOut(408, 'Request timeout.'),
  empty: {
    of: 'write',
    phase: 'after-commit',
    effect: { reply: 'empty' },
    story: 'an empty 200 answered CALL',
    expects: LOOK
  },
  'error-in-200': {
    of: 'write',
    effect: FAILED_IN_BODY,
    story: 'a 200 whose body says that it failed answered CALL',
    expects: 'reads `Error`, and takes it for a refusal'
  },
  unavailable: refused('write', UNAVAILABLE, 'patiently', WAIT),
  outage: refused('write', UNAVAILABLE, 'three times', TRY_AGAIN),
  down: refused(
    'write',
    UNAVAILABLE,
    'every time',
    'waits longer from try to try, has a limit, and removes what it made'
  ),
  forbidden: refused('write', DENIED, 'every time', STOP),
  rejected: refused('write', { status: 400, reason: 'The request is not valid.' }, 'every time', STOP),
  conflict: refused(
    'write',
    { status: 409, reason: 'It exists already.' },
    'every time',
    'looks whether it is there, and fails if it is not'
  ),
  'still-taken': {
    of: 'write',
    effect: { status: 409, reason: 'The name is still taken by what was deleted.' },
    tries: 2,
    isForRemade: true,
    story: 'a 409 answered CALL twice, because what was deleted still had the name',
    expects: TRY_AGAIN
  },
  'too-many': refused('write', TOO_MANY, 'patiently', WAIT),
  dropped: {
    of: 'write',
    effect: { reply: 'drop' },
    story: 'the connection of CALL was closed before it was carried out',
    expects: LOOK
  },
  cut: {
    of: 'write',
    phase: 'after-commit',
    effect: { reply: 'cut' },
    story: 'the reply to CALL broke off half-way',
    expects: LOOK
  },
  'killed-before': {
    of: 'write',
    effect: HELD,
    kills: true,
    story: 'the client was killed just before CALL was carried out',
    expects: 'goes on, when run again, where the killed run has stopped'
  },
  'transition-held': {
    of: 'transition',
    outcome: 'hold',
    story: 'the transition that CALL began did not end',
    expects: 'has a limit for its wait'
  },
  'transition-slow': {
    of: 'transition',
    outcome: 'slow',
    story: 'the transition that CALL began took a hundred times as long',
    expects: 'waits for it, or gives up and keeps in mind what it made'
  },
  stale: {
    of: 'read',
    effect: { stale: { writes: 1 } },
    isForFresh: true,
    blinds: true,
    story: 'the reply to CALL did not show the latest write yet',
    expects: 'does not make again what it has made, and reads again'
  },
  vanish: {
    of: 'read',
    effect: { stale: { writes: 1 } },
    tries: LATE_READS,
    isForFresh: true,
    blinds: true,
    story: 'five replies to CALL did not show the latest write yet',
    expects: 'does not make again what it has made, and reads again or fails'
  },
  removed: {
    of: 'read',
    meddles: 'delete',
    story: 'somebody else deleted the workspace before CALL',
    expects: 'notices that it is gone, and fails or makes it again'
  },
  paused: {
    of: 'read',
    meddles: 'pause',
    story: 'somebody else paused the workspace before CALL',
    expects: 'knows the state, and fails or resumes it'
  },
  resized: {
    of: 'read',
    meddles: 'resize',
    story: 'somebody else resized the workspace before CALL',
    expects: 'waits until it is Active again, or fails'
  },
  flapping: {
    of: 'read',
    meddles: 'flap',
    story: 'the workspace, which had been Active, was Creating again before CALL',
    expects: 'waits until it is Active again, or fails'
  },
  'read-unavailable': refused('read', UNAVAILABLE, 'once', TRY_AGAIN),
  'read-too-many': refused('read', TOO_MANY, 'patiently', WAIT),
  'read-outage': refused('read', UNAVAILABLE, 'three times', TRY_AGAIN),
  'read-down': {
    ...refused('read', UNAVAILABLE, 'every time', 'has a limit, and the next run finds what is there'),
    blinds: true
  },
  'read-expired': {
    of: 'read',
    effect: { status: 401, reason: 'The credential has expired.' },
    blinds: true,
    story: 'a 401 answered CALL once',
    expects: 'renews its credential; or fails, and the next run finds what is there'
  },
  'read-forbidden': {
    ...refused('read', DENIED, 'every time', 'fails at once, and the next run finds what is there'),
    blinds: true
  },
  'read-error-in-200': {
    of: 'read',
    effect: FAILED_IN_BODY,
    blinds: true,
    story: 'a 200 whose body says that it failed answered CALL',
    expects: 'reads `Error`, and does not take it for an empty result'
  },
  'read-dropped': {
    of: 'read',
    effect: { reply: 'drop' },
    story: 'the connection of CALL was closed without a reply',
    expects: TRY_AGAIN
  },
  late: {
    of: 'write',
    phase: 'after-commit',
    effect: { delay: 'PT3S' },
    isForFirst: true,
    story: 'the reply to CALL came three seconds late',
    expects: 'waits for it, or does as after a lost reply'
  },
  silent: {
    of: 'write',
    phase: 'after-commit',
    effect: { reply: 'silent' },
    isForFirst: true,
    story: 'the reply to CALL never came',
    expects: 'has a limit for each request, and then does as after a lost reply'
  },
  beside: {
    of: 'write',
    isBeside: true,
    isForTheAsking: true,
    story: 'while CALL was on its way, the client was run once more, from beginning to end',
    expects: 'looks again at what it has read before it writes, or makes sure that nobody else runs'
  }
})

/** Keeps the names in the type, and gives each kind all of the optional fields, which `satisfies` would not. */
function named<Name extends string>(kinds: Readonly<Record<Name, PlanKind>>) {
  return kinds
}

/** What can go wrong with a call. */
export type PlanName = keyof typeof PLAN_KINDS

/** All of them, in the order in which they are tried. */
export const PLAN_NAMES = Object.keys(PLAN_KINDS) as PlanName[]

/** Those that are tried unless others are asked for. */
export const USUAL_PLANS = PLAN_NAMES.filter((name) => PLAN_KINDS[name].isForTheAsking !== true)

export const kindOf = ({ kind }: ExploreFault): PlanKind => PLAN_KINDS[kind]

/** Faults that ask the same of a client. */
export function familyOf(fault: ExploreFault): string {
  const { of, kills, isForFresh, isForFirst, isBeside, meddles, phase, effect } = kindOf(fault)
  if (kills === true) return 'kill'
  if (isForFresh === true) return 'stale'
  if (isForFirst === true) return 'slow'
  if (meddles !== undefined || isBeside === true) return fault.kind
  if (of !== 'write') return of
  return phase === 'after-commit' || effect?.reply !== undefined ? 'lost' : 'refused'
}

/** What a reference run shows of a point. */
export interface PlannablePoint {
  readonly point: ExplorePoint
  readonly isRead: boolean
  /** Whether it is a read that would have been answered otherwise before the latest write. */
  readonly isFresh: boolean
  /** Whether it changed something. */
  readonly hasChanged: boolean
  /** Whether it makes what was deleted before. */
  readonly isRemade: boolean
  /** The transitions that it began. */
  readonly transitions: readonly string[]
  /** Whether the client looked at the resource later. */
  readonly isWatched: boolean
}

/** Whether a transition goes on after a client has had enough of it, and ends some time. */
export const isLong = (fault: ExploreFault): boolean => ['hold', 'slow'].includes(kindOf(fault).outcome!)

/** Seconds of `Retry-After`, where waiting takes no time and where it does. */
const PATIENCE = { virtual: 30, real: 1 } as const

/**
 * The faults to try at points.
 * @param isVirtual whether waiting takes no time
 */
export function faultsAt(points: readonly PlannablePoint[], isVirtual: boolean): ExploreFault[] {
  const first = points.find(({ isRead, hasChanged }) => !isRead && hasChanged)
  return points.flatMap((plannable) =>
    PLAN_NAMES.flatMap((kind): ExploreFault[] => {
      const { point, transitions } = plannable
      const { of, isForFirst, asksForPatience } = PLAN_KINDS[kind]
      if (!isFor(kind, plannable, isVirtual) || (isForFirst === true && plannable !== first)) return []
      if (of === 'transition') return transitions.map((transition) => ({ kind, point, transition }))
      if (asksForPatience !== true) return [{ kind, point }]
      return [{ kind, point, retry_after: isVirtual ? PATIENCE.virtual : PATIENCE.real }]
    })
  )
}

function isFor(
  kind: PlanName,
  { point, isRead, isFresh, hasChanged, isRemade, isWatched }: PlannablePoint,
  isVirtual: boolean
): boolean {
  const { of, phase, isForFresh, isForRemade, meddles, outcome } = PLAN_KINDS[kind]
  switch (of) {
    case 'read':
      if (meddles !== undefined) return mayMeddle(meddles, point, isVirtual)
      return isRead && (isFresh || isForFresh !== true)
    case 'write':
      return !isRead && (phase !== 'after-commit' || hasChanged) && (isRemade || isForRemade !== true)
    case 'transition':
      if (outcome === 'slow' && !isVirtual) return false
      // Nobody who does not look can notice that a transition takes long, and a clean-up need not wait for its end.
      return isWatched || (outcome === 'fail' && /^create/.test(point.operation))
  }
}

function mayMeddle(deed: Deed, { operation, state, occurrence }: ExplorePoint, isVirtual: boolean): boolean {
  if (operation !== 'getWorkspace') return false
  if (deed === 'delete') return state !== 'gone' && state !== 'Terminating'
  if (state !== 'Active') return false
  // The client has seen before that it is Active.
  if (deed === 'flap' && occurrence === 1) return false
  // A resize, and a creation, take their time.
  return deed === 'pause' || isVirtual
}
