import type { OperationId } from '../interface/operation-ids.js'
import { profileDocument } from '../profile/file.js'
import type { ProfileDocument } from '../profile/schemas.js'
import { assumptionsUnder } from '../resources/all-assumptions.js'
import { openProfile } from '../resources/open-profile.js'
import { decided } from './added-fields.js'
import { Api } from './api.js'
import type { Exchange } from './exchange.js'
import { ledgerOf } from './ledger.js'
import { Replay } from './replay/replay.js'
import { Session } from './replay/session.js'
import { Twin } from './twin.js'

/** How to compare. */
interface ConformOptions {
  /** Path of a profile, or the document itself; without it, the built-in one. */
  readonly profile?: string | object
  /** Called after each exchange. */
  readonly onExchange?: (done: number, all: number) => void
}

/** What a comparison of the mock with recorded exchanges has shown. */
export type Conformance = Awaited<ReturnType<typeof conform>>

/**
 * Lets a fresh sandbox live through exchanges with a service, in the order in which they were sent and at their times,
 * and says on which assumptions both agree.
 * @throws {ProfileError} if the profile cannot be used
 */
export async function conform(all: readonly Exchange[], { profile: given = '', onExchange }: ConformOptions = {}) {
  const profile = await openProfile(given)
  const { limits, replies } = profile.edge
  const isPlain = limits === undefined && replies?.slow === undefined && replies?.ids === undefined
  const twin = await Twin.open((isPlain ? given : await forComparison(given, profile.name)) as string)
  try {
    const api = new Api(profile, await twin.document())
    const { basePath, exchanges } = ofService(all, api)
    const replay = new Replay(new Session(twin, profile, api, exchanges), basePath)
    replay.counts.foreign += all.length - exchanges.length
    for (const [index, exchange] of exchanges.entries()) {
      await replay.step(exchange)
      onExchange?.(index + 1, exchanges.length)
    }
    replay.conclude()
    const { counts, session } = replay
    const facts = decided(session.facts.entries, profile)
    const furtherFields = facts.flatMap(({ key: { aspect, schema, field } }) =>
      aspect === 'further field' ? [`${schema === undefined ? '' : `${schema}.`}${field!}`] : []
    )
    return {
      /** The profile that the mock was under. */
      profile,
      api,
      /** The exchanges with the service, of those that were given. */
      exchanges,
      counts,
      ledger: ledgerOf(facts, assumptionsUnder(profile)),
      /** All that was compared. */
      facts,
      /** How long transitions took in the service. */
      durations: session.durations,
      /** What the service has and the mock does not: paths, and fields such as `Workspace.tier`. */
      further: [...replay.further, ...new Set(furtherFields)],
      /** The requests that both refuse. */
      refusals: session.refusals,
      /** What the mock could not take over from replies, with the exchange and the reason. */
      refused: [...new Set(session.refused)]
    }
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

/** Operations with paths that other interfaces have as well, such as `/users`. */
const COMMON: readonly OperationId[] = ['listOrgUsers', 'updateOrgUserRoles']

/**
 * Leaves out exchanges with other hosts, which the archive of a browser has, and those outside the base path: the
 * service is where an operation with a telling path is called first.
 */
function ofService(all: readonly Exchange[], api: Api) {
  const calls = all.flatMap((exchange) => {
    const call = api.recognise(exchange)
    return call === undefined ? [] : [{ exchange, call }]
  })
  const first = calls.find(({ call }) => !COMMON.includes(call.operation)) ?? calls[0]
  if (first === undefined) return { basePath: '', exchanges: [] }
  const { origin, path } = first.exchange
  const basePath = path.slice(0, path.length - first.call.path.length)
  const exchanges = all.filter((one) => one.origin === origin && one.path.startsWith(`${basePath}/`))
  return { basePath, exchanges }
}
