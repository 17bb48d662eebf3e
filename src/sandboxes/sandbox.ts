import type { Coverage } from '../journal/coverage.js'
import type { EventHub } from '../journal/event-hub.js'
import type { Journal } from '../journal/journal.js'
import { ServiceError } from '../lib/errors.js'
import type { Slices } from '../lib/slices.js'
import type { Random, RandomState } from '../sim/random.js'
import type { SimulatedSandbox } from '../sim/sandbox.js'
import type { SandboxRecord, SandboxUse } from './store.js'

/**
 * One org's whole world, as it is kept in memory while the server runs. The rows are the truth; this is what is asked
 * for often.
 */
export interface Sandbox extends Omit<SandboxRecord, 'use' | 'key' | 'id' | 'clock'>, SimulatedSandbox {
  /** SHA-256 of the credential that names it, in hexadecimal digits. */
  id: string
  /** Key of its rows. It is another one after a large replacement. */
  key: number
  orgId: string
  orgName: string
  /** Where the stream of {@link ids} stands. */
  random: RandomState
  /** The stream of RequestIDs for its requests, in this run of the server. */
  readonly requestIds: Random
  /** What {@link requestIds} are drawn from. */
  readonly requestRandom: RandomState
  /** When it was used last, by the machine's clock. */
  lastUsed: number
  /** What of its use is stored. */
  stored: Pick<SandboxUse, 'last' | 'shown'>
  /**
   * Whether any rule says what shall go wrong with its requests. It may be true too long, and is never false too early.
   */
  hasFaults: boolean
  /** Counts the writes in it, so that whoever keeps what it read knows when to read again. */
  version: number
  /** Whether it was removed while a request still held it. */
  isRemoved: boolean
  /** The requests of this run of the server, and what they changed. */
  readonly journal: Journal
  /** What was exercised in this run of the server. */
  readonly coverage: Coverage
  /** Tells those who listen what happens in it. */
  readonly eventHub: EventHub
}

/** Fills an empty sandbox, in slices. */
export type Fill = (sandbox: Sandbox) => Slices<void>

/** What a sandbox keeps in memory alone. */
export type Memory = Pick<Sandbox, 'journal' | 'eventHub'>

/** @throws {ServiceError} `notAllowed` if a sandbox was removed while a request still held it */
export function assertNotRemoved({ isRemoved }: Sandbox): void {
  if (isRemoved) throw new ServiceError('notAllowed', 'The sandbox was removed while the request was under way.')
}
