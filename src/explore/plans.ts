import type { FaultEffect } from '../test-control/handle/types.js'

// The types of this file refer to no package: see result.ts.

/** A request at which something goes wrong, named alike in every run. */
export interface ExplorePoint {
  readonly operation: string
  /** Names of the resource and its parents, such as `main/writer`; empty for the whole org. */
  readonly resource: string
  /** The state of the workspace, if the request reads one. */
  readonly state?: string
  /** Digest of the body and the query. */
  readonly digest: string
  /** Counts the requests that are otherwise alike, from 1. */
  readonly occurrence: number
}

/** What goes wrong at a point. */
export interface ExploreFault {
  readonly kind: PlanName
  readonly point: ExplorePoint
  /** The transition that goes wrong, if one does. */
  readonly transition?: string
  /** Seconds of `Retry-After`, if the error has it. */
  readonly retry_after?: number
}

/** A change to a workspace by somebody else, or by the service itself. */
export type Interference = 'delete' | 'pause' | 'resize' | 'flap'

/** One thing that can go wrong at a point. */
interface PlanKind {
  /** Calls that it applies to: those that change something, reads, or those that begin a transition. */
  readonly of: 'write' | 'read' | 'transition'
  readonly effect?: FaultEffect
  /** The operation is carried out regardless. */
  readonly phase?: 'after-commit'
  /** Number of attempts at the call that meet it; one if absent. */
  readonly tries?: number
  /** The error has `Retry-After`. */
  readonly asksForPatience?: true
  /** The client is killed before or after the call is carried out. */
  readonly kills?: true
  /** Happens to the workspace before it is read. */
  readonly interference?: Interference
  /** The client may not learn what it has to clean up. The next run has no fault, and can look. */
  readonly blinds?: true
  /** Only for reads whose reply the latest write changed. */
  readonly needsFresh?: true
  /** Only for the first call, which stands for all of them: it takes long, or clients have one place for it. */
  readonly needsFirst?: true
  /** Only for creating something again that was deleted. */
  readonly needsRecreation?: true
  /** The client runs once more, from start to finish, before the call is carried out. Only if named explicitly. */
  readonly runsBeside?: true
  /** How the transition ends. */
  readonly outcome?: 'fail' | 'hold' | 'slow'
  /** The first part of a sentence; `CALL` stands for the call. */
  readonly story: string
  /** The behaviour of a correct client, after "A correct client". */
  readonly expects: string
}

const UNAVAILABLE = { status: 503, reason: 'Service unavailable.' } as const
const DENIED = { status: 403, reason: 'Access denied.' } as const
const TOO_MANY = { status: 429, reason: 'Too many requests.' } as const
const FAILED_IN_BODY = { status: 200, reason: 'Internal error.' } as const

/** Holds the request until its client or the server ends. */
export const HELD = { delay: 'PT10M', reply: 'drop' } as const

/** Number of attempts that an outage refuses. */
const OUTAGE = 3
/** Number of reads that do not show the latest write yet. */
const LATE_READS = 5

const LOOK = 'checks whether the work is done before it tries again; or fails, and the next run finds what exists'
const TRY_AGAIN = 'tries again after a pause; or fails, and the next run finds what exists'
const WAIT = 'waits as long as `Retry-After` says, and tries again; or fails'
const STOP = 'fails soon, and removes or remembers what it created'

/** A call that is carried out, although its reply does not show it. */
const carriedOut = (effect: FaultEffect, story: string): PlanKind => ({
  of: 'write',
  phase: 'after-commit',
  effect,
  story,
  expects: LOOK
})

/** An error in reply to a call that is carried out. */
const failedAfter = (status: number, reason: string) =>
  carriedOut({ status, reason }, `a ${status} answered CALL although it was carried out`)

const HOW = {
  once: {},
  'three times': { tries: OUTAGE },
  'every time': { tries: Infinity },
  patiently: { asksForPatience: true }
} as const

/** An error in reply to a call that is not carried out. */
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

/** The most revealing first. */
const PLAN_KINDS = named({
  lost: carriedOut({ reply: 'drop' }, 'the reply to CALL was lost'),
  'transition-fails': {
    of: 'transition',
    outcome: 'fail',
    story: 'the transition that CALL began failed',
    expects: 'notices the state, and fails, or starts over without leaving the failed one behind'
  },
  'killed-after': {
    of: 'write',
    phase: 'after-commit',
    effect: HELD,
    kills: true,
    story: 'the client was killed before it got the reply to CALL',
    expects: 'when run again, finds by name what the killed run created'
  },
  'error-after': failedAfter(500, 'Internal error.'),
  'timeout-after': failedAfter(504, 'Gateway timeout.'),
  'gateway-after': failedAfter(502, 'Bad gateway.'),
  'request-timeout-after': failedAfter(408, 'Request timeout.'),
  empty: carriedOut({ reply: 'empty' }, 'an empty 200 answered CALL'),
  'error-in-200': {
    of: 'write',
    effect: FAILED_IN_BODY,
    story: 'a 200 whose body says that it failed answered CALL',
    expects: 'reads `Error`, and treats it as a refusal'
  },
  unavailable: refused('write', UNAVAILABLE, 'patiently', WAIT),
  outage: refused('write', UNAVAILABLE, 'three times', TRY_AGAIN),
  down: refused(
    'write',
    UNAVAILABLE,
    'every time',
    'waits longer after each attempt, gives up at some point, and removes what it created'
  ),
  forbidden: refused('write', DENIED, 'every time', STOP),
  revoked: {
    ...refused('write', { status: 401, reason: 'The credential has been revoked.' }, 'every time', STOP),
    needsFirst: true
  },
  rejected: refused('write', { status: 400, reason: 'The request is not valid.' }, 'every time', STOP),
  conflict: refused(
    'write',
    { status: 409, reason: 'It exists already.' },
    'every time',
    'checks whether it exists, and fails if it does not'
  ),
  'still-taken': {
    of: 'write',
    effect: { status: 409, reason: 'The name still belongs to a deleted resource.' },
    tries: 2,
    needsRecreation: true,
    story: 'a 409 answered CALL twice, because the deleted one still had the name',
    expects: TRY_AGAIN
  },
  'too-many': refused('write', TOO_MANY, 'patiently', WAIT),
  dropped: {
    of: 'write',
    effect: { reply: 'drop' },
    story: 'the connection of CALL was closed before it was carried out',
    expects: LOOK
  },
  cut: carriedOut({ reply: 'cut' }, 'the reply to CALL broke off halfway'),
  'killed-before': {
    of: 'write',
    effect: HELD,
    kills: true,
    story: 'the client was killed just before CALL was carried out',
    expects: 'when run again, continues where the killed run stopped'
  },
  'transition-held': {
    of: 'transition',
    outcome: 'hold',
    story: 'the transition that CALL began did not end',
    expects: 'limits its wait'
  },
  'transition-slow': {
    of: 'transition',
    outcome: 'slow',
    story: 'the transition that CALL began took a hundred times as long',
    expects: 'waits for it, or gives up and remembers what it created'
  },
  stale: {
    of: 'read',
    effect: { stale: { writes: 1 } },
    needsFresh: true,
    blinds: true,
    story: 'the reply to CALL did not show the latest write yet',
    expects: 'creates nothing twice, and reads again'
  },
  vanish: {
    of: 'read',
    effect: { stale: { writes: 1 } },
    tries: LATE_READS,
    needsFresh: true,
    blinds: true,
    story: 'five replies to CALL did not show the latest write yet',
    expects: 'creates nothing twice, and reads again or fails'
  },
  removed: {
    of: 'read',
    interference: 'delete',
    story: 'somebody else deleted the workspace before CALL',
    expects: 'notices that it is gone, and fails or creates it again'
  },
  paused: {
    of: 'read',
    interference: 'pause',
    story: 'somebody else paused the workspace before CALL',
    expects: 'recognises the state, and fails or resumes it'
  },
  resized: {
    of: 'read',
    interference: 'resize',
    story: 'somebody else resized the workspace before CALL',
    expects: 'waits until it is Active again, or fails'
  },
  flapping: {
    of: 'read',
    interference: 'flap',
    story: 'the workspace, which had been Active, was Creating again before CALL',
    expects: 'waits until it is Active again, or fails'
  },
  'read-unavailable': refused('read', UNAVAILABLE, 'once', TRY_AGAIN),
  'read-too-many': refused('read', TOO_MANY, 'patiently', WAIT),
  'read-outage': refused('read', UNAVAILABLE, 'three times', TRY_AGAIN),
  'read-down': {
    ...refused('read', UNAVAILABLE, 'every time', 'gives up at some point, and the next run finds what exists'),
    blinds: true
  },
  'read-expired': {
    of: 'read',
    effect: { status: 401, reason: 'The credential has expired.' },
    blinds: true,
    story: 'a 401 answered CALL once',
    expects: 'renews its credential; or fails, and the next run finds what exists'
  },
  'read-forbidden': {
    ...refused('read', DENIED, 'every time', 'fails at once, and the next run finds what exists'),
    blinds: true
  },
  'read-error-in-200': {
    of: 'read',
    effect: FAILED_IN_BODY,
    blinds: true,
    story: 'a 200 whose body says that it failed answered CALL',
    expects: 'reads `Error`, and does not mistake it for an empty result'
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
    needsFirst: true,
    story: 'the reply to CALL came three seconds late',
    expects: 'waits for it, or treats it as lost'
  },
  silent: {
    of: 'write',
    phase: 'after-commit',
    effect: { reply: 'silent' },
    needsFirst: true,
    story: 'the reply to CALL never came',
    expects: 'limits each request, and then treats the reply as lost'
  },
  beside: {
    of: 'write',
    runsBeside: true,
    story: 'while CALL was under way, the client ran once more, from start to finish',
    expects: 'reads again just before it writes, or makes sure that no other run is active'
  }
})

/** Keeps the names in the type, yet gives each kind all optional fields, unlike `satisfies`. */
function named<Name extends string>(kinds: Readonly<Record<Name, PlanKind>>) {
  return kinds
}

/** The name of a kind of plan. */
export type PlanName = keyof typeof PLAN_KINDS

/** In the order in which they are tried. */
export const PLAN_NAMES = Object.keys(PLAN_KINDS) as PlanName[]

/** Those tried by default. */
export const USUAL_PLANS = PLAN_NAMES.filter((name) => PLAN_KINDS[name].runsBeside !== true)

export const kindOf = ({ kind }: ExploreFault): PlanKind => PLAN_KINDS[kind]

/** Whether the reply comes late, or never. */
export function isLate(fault: ExploreFault): boolean {
  const { needsFirst, phase } = kindOf(fault)
  return needsFirst === true && phase === 'after-commit'
}

/** Names the faults that demand the same of a client. */
export function familyOf(fault: ExploreFault): string {
  const { of, kills, needsFresh, runsBeside, interference, phase, effect } = kindOf(fault)
  if (kills === true) return 'kill'
  if (needsFresh === true) return 'stale'
  if (isLate(fault)) return 'slow'
  if (interference !== undefined || runsBeside === true) return fault.kind
  if (of !== 'write') return of
  return phase === 'after-commit' || effect?.reply !== undefined ? 'lost' : 'refused'
}

/** A point with the facts from a reference run that decide which faults fit. */
export interface PlannablePoint {
  readonly point: ExplorePoint
  readonly isRead: boolean
  /** A read whose reply the latest write changed. */
  readonly isFresh: boolean
  readonly hasChanged: boolean
  /** It creates something again that was deleted. */
  readonly isRecreation: boolean
  /** The transitions that it began. */
  readonly transitions: readonly string[]
  /** The client looked at the resource later. */
  readonly isWatched: boolean
}

/** Whether the transition may still be under way when the client gives up. */
export const isLong = (fault: ExploreFault): boolean => ['hold', 'slow'].includes(kindOf(fault).outcome!)

/** Seconds of `Retry-After`, by the kind of time. */
const PATIENCE = { virtual: 30, real: 1 } as const

/** The faults to try. @param isVirtual whether waiting takes no time */
export function faultsAt(points: readonly PlannablePoint[], isVirtual: boolean): ExploreFault[] {
  const first = points.find(({ isRead, hasChanged }) => !isRead && hasChanged)
  return points.flatMap((plannable) =>
    PLAN_NAMES.flatMap((kind): ExploreFault[] => {
      const { point, transitions } = plannable
      const { of, needsFirst, asksForPatience } = PLAN_KINDS[kind]
      if (!fits(kind, plannable, isVirtual) || (needsFirst === true && plannable !== first)) return []
      if (of === 'transition') return transitions.map((transition) => ({ kind, point, transition }))
      if (asksForPatience !== true) return [{ kind, point }]
      return [{ kind, point, retry_after: isVirtual ? PATIENCE.virtual : PATIENCE.real }]
    })
  )
}

function fits(
  kind: PlanName,
  { point, isRead, isFresh, hasChanged, isRecreation, isWatched }: PlannablePoint,
  isVirtual: boolean
): boolean {
  const { of, phase, needsFresh, needsRecreation, interference, outcome } = PLAN_KINDS[kind]
  switch (of) {
    case 'read':
      if (interference !== undefined) return canInterfere(interference, point, isVirtual)
      return isRead && (isFresh || needsFresh !== true)
    case 'write':
      return !isRead && (phase !== 'after-commit' || hasChanged) && (isRecreation || needsRecreation !== true)
    case 'transition':
      if (outcome === 'slow' && !isVirtual) return false
      // A client that never looks cannot notice a slow transition, and a clean-up need not wait for its end.
      return isWatched || (outcome === 'fail' && /^create/.test(point.operation))
  }
}

function canInterfere(how: Interference, { operation, state, occurrence }: ExplorePoint, isVirtual: boolean): boolean {
  if (operation !== 'getWorkspace') return false
  if (how === 'delete') return state !== 'gone' && state !== 'Terminating'
  if (state !== 'Active') return false
  // Flapping means that the client has already seen it Active.
  if (how === 'flap' && occurrence === 1) return false
  // A resize or a creation takes time.
  return how === 'pause' || isVirtual
}
