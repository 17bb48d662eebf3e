import type { ChangeLog } from '../journal/change-log.js'
import type { Coverage } from '../journal/coverage.js'
import type { EventHub } from '../journal/event-hub.js'
import type { Journal } from '../journal/journal.js'
import type { Recorder } from '../journal/recorder.js'
import type { Slices } from '../lib/scheduler.js'
import type { Random, RandomState } from '../sim/random.js'
import type { SimulatedSandbox } from '../sim/sandbox.js'
import type { Sleepers } from '../sim/sleepers.js'
import type { FaultEffect } from './fault-schemas.js'
import type { SandboxRecord, SandboxUse } from './store.js'

/**
 * One org with all its resources, as kept in memory while the server runs. The rows are the source of truth; this
 * object caches what is needed often.
 */
export interface Sandbox extends Omit<SandboxRecord, 'use' | 'key' | 'id' | 'clock' | 'random'>, SimulatedSandbox {
  /** SHA-256 of its credential, in hexadecimal digits. */
  id: string
  /** Key of its rows. Changes with a large replacement. */
  key: number
  orgId: string
  orgName: string
  /** The stream of RequestIDs for its requests in this run of the server. */
  readonly requestIds: Random
  /** State of {@link requestIds}. */
  readonly requestRandom: RandomState
  /** When it was last used, by the machine's clock. */
  lastUsed: number
  /** The part of its use that has been stored. */
  stored: Pick<SandboxUse, 'last' | 'shown'>
  /**
   * Whether there are fault rules for its requests. May stay true for too long, but is never false while there are any.
   */
  hasFaults: boolean
  /** Chooses the faults of requests before the rules do. */
  chooseFault?: ChooseFault | undefined
  /** Called with the RequestID of each read whose answer the latest write has changed. */
  onFreshRead?: ((id: string) => void) | undefined
  /** Counts the writes in it, so that caches know when to read again. */
  version: number
  /** Number of long reads under way. While there are any, nobody can write in it, but others can read. */
  longReads: number
  /** For each limit of the profile, when its window began, and how many requests it let through. */
  readonly windows: Map<object, RequestWindow>
  /** Whether it was removed while a request still held it. */
  isRemoved: boolean
  /** The requests in this run of the server, and what they changed. */
  readonly journal: Journal
  /** What has changed, in order, as far back as memory allows. */
  readonly changes: ChangeLog
  /** Records it in a file; undefined: it is not recorded. */
  readonly recorder: Recorder | undefined
  /** Coverage in this run of the server. */
  readonly coverage: Coverage
  /** Streams its events to listeners; undefined until somebody listens. */
  eventHub: EventHub | undefined
  /** Clients that wait for moments of its clock; undefined until one does. */
  sleepers: Sleepers | undefined
}

export interface RequestWindow {
  readonly begun: number
  count: number
}

/** A request to the interface whose body has been read, and that has not been carried out. */
export interface Arrival {
  /** RequestID. */
  readonly id: string
  /** operationId; for a stub, its method and path. */
  readonly operation: string
  readonly method: string
  /** The ids in its path, by name. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** A fault for one request. */
export interface ChosenFault {
  readonly id: string
  readonly phase: 'before' | 'after-commit'
  readonly effect: FaultEffect
  /** Called once the work is done, before its reply leaves or waits. */
  readonly onReply?: () => void
}

/** Called for each request, in order of arrival. The request waits for a promise. */
type ChooseFault = (arrival: Arrival) => ChosenFault | undefined | Promise<ChosenFault | undefined>

/** The org of a sandbox, which replies name. */
export type Org = Pick<Sandbox, 'orgId' | 'orgName'>

/** Fills an empty sandbox, in slices. */
export type Fill = (sandbox: Sandbox) => Slices<void>

/** The parts of a sandbox that exist only in memory. */
export type Memory = Pick<Sandbox, 'journal' | 'changes' | 'recorder'>
