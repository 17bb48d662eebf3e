import type { OperationId } from '../interface/operation-ids.js'
import { MOST_REQUESTS } from '../profile/limits.js'
import type { Profile } from '../profile/profile.js'
import { FORM } from '../profile/schemas.js'
import { assumptionsUnder } from '../resources/all-assumptions.js'
import { openProfile } from '../resources/open-profile.js'
import { decided } from './added-fields.js'
import { Api } from './api.js'
import { type Exchange, isOk, saysNothing } from './exchange.js'
import { mayHaveCredential } from './headers.js'
import { ledgerOf } from './ledger.js'
import { replay } from './replay/replay.js'
import { Session } from './replay/session.js'
import { type Called, sightsIn } from './sights.js'
import { Twin } from './twin.js'

interface ConformOptions {
  /** Path of a profile, or a document. Default: the built-in one. */
  readonly profile?: string | object
  /** Called after each exchange. */
  readonly onExchange?: (done: number, all: number) => void
}

/** The result of a comparison with recorded exchanges. */
export type Conformance = Awaited<ReturnType<typeof conform>>

/**
 * Replays exchanges with a service in a fresh sandbox, in order and at their times, and finds the assumptions on which
 * both agree.
 * @throws {ProfileError} if the profile cannot be used
 */
export async function conform(all: readonly Exchange[], { profile: given = '', onExchange }: ConformOptions = {}) {
  const profile = await openProfile(given)
  const twin = await Twin.open(profile.isBuiltIn ? undefined : forComparison(profile))
  try {
    const api = new Api(profile, await twin.document())
    const service = ofService(all, api)
    const sights = service.calls.flatMap((called) => sightsIn(api, called))
    const session = new Session(twin, profile, api, sights)
    const { counts, further } = await replay(session, service, onExchange)
    const facts = decided(session.facts.entries, profile)
    const furtherFields = facts.flatMap(({ key: { aspect, schema, field } }) =>
      aspect === 'further field' ? [`${schema === undefined ? '' : `${schema}.`}${field!}`] : []
    )
    return {
      profile,
      api,
      ...service,
      /** The objects with named schemas in replies. */
      sights,
      counts: { ...counts, foreign: counts.foreign + all.length - service.exchanges.length },
      ledger: ledgerOf(facts, assumptionsUnder(profile)),
      facts,
      /** How long transitions took in the service. */
      durations: session.durations,
      /** Paths and fields, such as `Workspace.tier`, that only the service has. */
      further: [...further, ...new Set(furtherFields)],
      /** The requests that both refuse. */
      refusals: session.refusals,
      /** Values that the mock did not accept from replies, each with the exchange and the reason. */
      refused: [...new Set(session.refused)]
    }
  } finally {
    await twin.close()
  }
}

/**
 * The same profile with limits that a comparison does not reach, although it sends more requests than the client did;
 * without slow replies; and without forms of ids, because these are compared without replaying them.
 */
function forComparison({ name, document }: Profile): object {
  const { limits = [], replies, ...others } = document
  const { slow: _slow, ids: _ids, ...forms } = replies ?? {}
  const high = limits.map((limit) => ({ ...limit, requests: MOST_REQUESTS }))
  return { profile: FORM, ...others, name, limits: high, ...(replies && { replies: forms }) }
}

/** Operations with paths that other interfaces may also have, such as `/users`. */
const COMMON: readonly OperationId[] = ['listOrgUsers', 'updateOrgUserRoles']

/**
 * The exchanges with the service. The first call of an operation with a distinctive path shows its host and base path,
 * unless its reply says nothing, such as a redirect to them; an archive saved by a browser has other hosts, too.
 */
export function ofService(all: readonly Exchange[], api: Api) {
  const recognised = all.map((exchange) => ({ exchange, call: api.recognise(exchange) }))
  const distinctive = recognised.filter(isCalled).filter(({ call }) => !COMMON.includes(call.operation))
  const first =
    distinctive.find(({ exchange }) => !saysNothing(exchange)) ?? distinctive[0] ?? recognised.find(isCalled)
  if (first === undefined) return { basePath: '', exchanges: [], calls: [], foreign: [] }
  const { origin, path } = first.exchange
  const basePath = path.slice(0, path.length - first.call.path.length)
  const own = asFarAsKnown(
    recognised.filter(({ exchange }) => exchange.origin === origin && exchange.path.startsWith(`${basePath}/`))
  )
  return {
    basePath,
    exchanges: own.map(({ exchange }) => exchange),
    calls: own.filter(isCalled),
    /** Exchanges that no operation of the mock serves. */
    foreign: own.flatMap(({ exchange, call }) => (call === undefined ? [exchange] : []))
  }
}

type Recognised = Pick<Called, 'exchange'> & { readonly call: Called['call'] | undefined }

const isCalled = (one: Recognised): one is Called => one.call !== undefined

/** If the service accepts requests, but none has a credential, the file lacks them, so their headers are unknown. */
function asFarAsKnown(own: readonly Recognised[]): readonly Recognised[] {
  const isKnown =
    own.some(({ exchange }) => mayHaveCredential(exchange.requestHeaders)) ||
    !own.some((one) => isCalled(one) && isOk(one.exchange))
  return isKnown ? own : own.map(({ exchange, call }) => ({ exchange: { ...exchange, requestHeaders: {} }, call }))
}
