import type { FaultEffect } from '../sandboxes/fault-schemas.js'
import type { Point } from './points.js'
import type { ExploreFault, PlanName } from './result.js'

/** One thing that can go wrong at a point. */
interface PlanKind {
  /** Calls that it is for: those that change something, reads, or those that begin a transition. */
  readonly of: 'write' | 'read' | 'transition'
  /** The fault; absent for a transition. */
  readonly effect?: FaultEffect
  /** Whether the operation is carried out. */
  readonly phase?: 'before' | 'after-commit'
  /** Whether all repetitions of the call meet it, too. */
  readonly isForGood?: true
  /** The client ends without a trace, before or after the call is carried out. */
  readonly kills?: true
  /** Only for reads that the latest write has changed. */
  readonly isForFresh?: boolean
  /** How the transition ends. */
  readonly outcome?: 'fail' | 'hold' | 'slow'
  /** What happens to a call, as the first part of a sentence; `CALL` stands for the call. */
  readonly story: string
}

const UNAVAILABLE = { status: 503, reason: 'Service unavailable.' } as const

/** A held request ends with its client, or with the server. */
const HELD = { delay: 'PT10M', reply: 'drop' } as const

/** What can go wrong, the most telling first. Those of a read cost little, so a client gets all of them. */
const PLAN_KINDS = {
  lost: { of: 'write', phase: 'after-commit', effect: { reply: 'drop' }, story: 'the reply to CALL was lost' },
  'transition-fails': { of: 'transition', outcome: 'fail', story: 'the transition that CALL began failed' },
  'killed-after': {
    of: 'write',
    phase: 'after-commit',
    effect: HELD,
    kills: true,
    story: 'the client was killed before it got the reply to CALL'
  },
  'error-after': {
    of: 'write',
    phase: 'after-commit',
    effect: { status: 500, reason: 'Internal error.' },
    story: 'a 500 answered CALL although it was carried out'
  },
  'timeout-after': {
    of: 'write',
    phase: 'after-commit',
    effect: { status: 504, reason: 'Gateway timeout.' },
    story: 'a 504 answered CALL although it was carried out'
  },
  unavailable: {
    of: 'write',
    phase: 'before',
    effect: { ...UNAVAILABLE, retry_after: 1 },
    story: 'a 503 with Retry-After answered CALL'
  },
  down: { of: 'write', phase: 'before', effect: UNAVAILABLE, isForGood: true, story: 'a 503 answered CALL every time' },
  forbidden: {
    of: 'write',
    phase: 'before',
    effect: { status: 403, reason: 'Access denied.' },
    isForGood: true,
    story: 'a 403 answered CALL every time'
  },
  'too-many': {
    of: 'write',
    phase: 'before',
    effect: { status: 429, reason: 'Too many requests.', retry_after: 1 },
    story: 'a 429 with Retry-After answered CALL'
  },
  dropped: {
    of: 'write',
    phase: 'before',
    effect: { reply: 'drop' },
    story: 'the connection of CALL was closed before it was carried out'
  },
  cut: { of: 'write', phase: 'after-commit', effect: { reply: 'cut' }, story: 'the reply to CALL broke off half-way' },
  'killed-before': {
    of: 'write',
    phase: 'before',
    effect: HELD,
    kills: true,
    story: 'the client was killed just before CALL was carried out'
  },
  'transition-held': { of: 'transition', outcome: 'hold', story: 'the transition that CALL began did not end' },
  'transition-slow': {
    of: 'transition',
    outcome: 'slow',
    story: 'the transition that CALL began took a hundred times as long'
  },
  stale: {
    of: 'read',
    phase: 'before',
    effect: { stale: { writes: 1 } },
    isForFresh: true,
    story: 'the reply to CALL did not show the latest write yet'
  },
  'read-unavailable': { of: 'read', phase: 'before', effect: UNAVAILABLE, story: 'a 503 answered CALL' },
  'read-down': {
    of: 'read',
    phase: 'before',
    effect: UNAVAILABLE,
    isForGood: true,
    story: 'a 503 answered CALL every time'
  },
  'read-forbidden': {
    of: 'read',
    phase: 'before',
    effect: { status: 403, reason: 'Access denied.' },
    isForGood: true,
    story: 'a 403 answered CALL every time'
  },
  'read-dropped': {
    of: 'read',
    phase: 'before',
    effect: { reply: 'drop' },
    story: 'the connection of CALL was closed without a reply'
  }
} as const satisfies Record<PlanName, PlanKind>

/** All of them, in the order in which they are tried. */
export const PLAN_NAMES = Object.keys(PLAN_KINDS) as PlanName[]

/** One fault at one point. */
export type PlannedFault = ExploreFault

export const kindOf = ({ kind }: PlannedFault): PlanKind => PLAN_KINDS[kind]

/** What a reference run shows of a point. */
export interface PlannablePoint {
  readonly point: Point
  readonly isRead: boolean
  /** Whether it is a read that would have been answered otherwise before the latest write. */
  readonly isFresh: boolean
  /** Whether it changed something. */
  readonly hasChanged: boolean
  /** The transitions that it began. */
  readonly transitions: readonly string[]
  /** Whether the client looked at the resource later. */
  readonly isWatched: boolean
}

/** Whether a transition goes on after a client has had enough of it, and ends some time. */
export const isLong = (fault: PlannedFault): boolean => ['hold', 'slow'].includes(kindOf(fault).outcome!)

/**
 * The faults to try at a point.
 * @param isVirtual whether waiting takes no time
 */
export function faultsAt(
  { point, isRead, isFresh, hasChanged, transitions, isWatched }: PlannablePoint,
  isVirtual: boolean
): PlannedFault[] {
  return PLAN_NAMES.flatMap((kind): PlannedFault[] => {
    const { of, phase, isForFresh = false, outcome }: PlanKind = PLAN_KINDS[kind]
    switch (of) {
      case 'read':
        return isRead && (isFresh || !isForFresh) ? [{ kind, point }] : []
      case 'write':
        return isRead || (phase === 'after-commit' && !hasChanged) ? [] : [{ kind, point }]
      case 'transition':
        if (outcome === 'slow' && !isVirtual) return []
        // Nobody who does not look can notice that a transition takes long, and a clean-up need not wait for its end.
        return isWatched || (outcome === 'fail' && /^create/.test(point.operation))
          ? transitions.map((transition) => ({ kind, point, transition }))
          : []
    }
  })
}
