import { profileDocument } from '../profile/file.js'
import type { Profile } from '../profile/profile.js'
import type { ProfileDocument } from '../profile/schemas.js'
import { assumptionsUnder } from '../resources/all-assumptions.js'
import { openProfile } from '../resources/open-profile.js'
import { decided } from './added-fields.js'
import { Api } from './api.js'
import type { Exchange } from './exchange.js'
import type { Entry } from './fact-book.js'
import { type LedgerEntry, ledgerOf } from './ledger.js'
import { ofService } from './of-service.js'
import { Replay, type ReplayCounts } from './replay/replay.js'
import { type Observed, type SeenRefusal, Session } from './replay/session.js'
import { Twin } from './twin.js'

/** How to compare. */
interface ConformOptions {
  /** Path of a profile, or the document itself; without it, the built-in one. */
  readonly profile?: string | object
  /** Called after each exchange. */
  readonly onExchange?: (done: number, all: number) => void
}

/** How often an operation was compared, and how many of its facts differ. */
interface OperationCount {
  readonly operation: string
  readonly exchanges: number
  readonly differences: number
}

/** What a comparison of the mock with recorded exchanges has shown. */
export interface Conformance {
  /** Name of the profile that the mock was under. */
  readonly profile: string
  /** The OpenAPI document of the mock under the profile. */
  readonly document: unknown
  readonly api: Api
  /** The exchanges with the service, of those that were given. */
  readonly exchanges: readonly Exchange[]
  readonly counts: ReplayCounts
  readonly ledger: readonly LedgerEntry[]
  /** All that was compared. */
  readonly facts: readonly Entry[]
  readonly operations: readonly OperationCount[]
  /** How long transitions took in the service. */
  readonly durations: readonly Observed[]
  /** What the service answers at paths that the mock does not have, by method and path. */
  readonly further: ReadonlyMap<string, Exchange>
  /** Fields that the service has and the interface does not declare, such as `Workspace.tier`. */
  readonly furtherFields: readonly string[]
  /** The requests that both refuse. */
  readonly refusals: readonly SeenRefusal[]
  /** What the mock could not take over from replies, with the exchange and the reason. */
  readonly refused: readonly string[]
}

/**
 * Lets a fresh sandbox live through exchanges with a service, in the order in which they were sent and at their times,
 * and says on which assumptions both agree.
 * @throws {ProfileError} if the profile cannot be used
 */
export async function conform(
  exchanges: readonly Exchange[],
  { profile = '', onExchange }: ConformOptions = {}
): Promise<Conformance> {
  const compiled = await openProfile(profile)
  const { limits, replies } = compiled.edge
  const isPlain = limits === undefined && replies?.slow === undefined && replies?.ids === undefined
  const given = isPlain ? profile : await forComparison(profile, compiled.name)
  const twin = await Twin.open(given as string)
  try {
    return await compare(exchanges, compiled, twin, onExchange)
  } finally {
    await twin.close()
  }
}

/**
 * The same profile without limits, because a comparison needs more requests than the client has sent, no waits, and
 * with the ids inside: only the form of those of the service is compared.
 */
async function forComparison(given: string | object, name: string): Promise<object> {
  const { limits: _, replies, ...others } = (await profileDocument(given)) as ProfileDocument
  const { slow: _slow, ids: _ids, ...forms } = replies ?? {}
  return { ...others, name, replies: forms }
}

async function compare(
  exchanges: readonly Exchange[],
  profile: Profile,
  twin: Twin,
  onExchange: ConformOptions['onExchange']
): Promise<Conformance> {
  const document = await twin.document()
  const api = new Api(document, profile)
  const own = ofService(exchanges, api)
  const replay = new Replay(new Session(twin, profile, api, own))
  replay.counts.foreign += exchanges.length - own.length
  for (const [index, exchange] of own.entries()) {
    await replay.step(exchange)
    onExchange?.(index + 1, own.length)
  }
  replay.conclude()
  const { counts, further, session, calls } = replay
  const facts = decided(session.facts.entries, profile)
  const differencesOf = (operation: string) =>
    facts.reduce((sum, { key, differences }) => sum + (key.operation === operation ? differences : 0), 0)
  return {
    profile: profile.name,
    document,
    api,
    exchanges: own,
    counts,
    ledger: ledgerOf(facts, assumptionsUnder(profile)),
    facts,
    operations: [...calls].map(([operation, count]) => ({
      operation,
      exchanges: count,
      differences: differencesOf(operation)
    })),
    durations: session.durations,
    further,
    refusals: session.refusals,
    refused: [...new Set(session.refused)],
    furtherFields: facts.flatMap(({ key: { aspect, schema, field } }) =>
      aspect === 'further field' ? [`${schema === undefined ? '' : `${schema}.`}${field!}`] : []
    )
  }
}
