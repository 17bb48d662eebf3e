import type { Profile } from '../../profile/profile.js'
import { openProfile } from '../../resources/open-profile.js'
import type { Api } from '../api.js'
import { conform, type Conformance } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { type Called, type Sight, sightsIn } from '../sights.js'

/** What exchanges show, seen from a profile. */
export interface Evidence {
  readonly exchanges: readonly Exchange[]
  /** The profile from which they are seen. */
  readonly profile: Profile
  readonly conformance: Conformance
  readonly api: Api
  /** The exchanges for operations. */
  readonly calls: readonly Called[]
  /** The others, below the base path. */
  readonly foreign: readonly Exchange[]
  /** Beginning of all paths; undefined if no exchange is for an operation. */
  readonly basePath: string | undefined
  /** The objects with a schema in successful replies. */
  readonly sights: readonly Sight[]
}

/**
 * Compares exchanges with the mock under a profile.
 * @param document the profile; undefined: the built-in one
 */
export async function gather(
  all: readonly Exchange[],
  document: object | undefined,
  onExchange: (done: number, all: number) => void
): Promise<Evidence> {
  const given = document ?? ''
  const profile = await openProfile(given)
  const conformance = await conform(all, { profile: given, onExchange })
  const { api, exchanges } = conformance
  const calls: Called[] = []
  const others: Exchange[] = []
  for (const exchange of exchanges) {
    const call = api.recognise(exchange)
    if (call === undefined) others.push(exchange)
    else calls.push({ exchange, call })
  }
  const [first] = calls
  const basePath = first?.exchange.path.slice(0, first.exchange.path.length - first.call.path.length)
  return {
    exchanges,
    profile,
    conformance,
    api,
    calls,
    foreign: basePath === undefined ? [] : others.filter(({ path }) => path.startsWith(`${basePath}/`)),
    basePath,
    sights: calls.flatMap((called) => sightsIn(api, called))
  }
}

/** The facts about an aspect on which both do not agree. */
export const differencesIn = ({ conformance }: Evidence, aspect: Entry['key']['aspect']): readonly Entry[] =>
  conformance.facts.filter(({ key, differences }) => key.aspect === aspect && differences > 0)

/** The numbers of the exchanges that the mock refuses, too. */
export const refusedByBoth = ({ conformance }: Evidence): ReadonlySet<number> =>
  new Set(conformance.refusals.map(({ exchange }) => exchange.number))

export const isOk = ({ status }: Exchange): boolean => status !== null && status < 300

/** Whether a request was refused, rather than lost or the victim of a failure. */
export const isRefused = ({ status }: Exchange): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429
