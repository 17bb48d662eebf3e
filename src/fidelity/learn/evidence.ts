import { conform } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { type Called, sightsIn } from '../sights.js'

/** What exchanges show, seen from a profile. */
export type Evidence = Awaited<ReturnType<typeof gather>>

/** Compares exchanges with the mock under a profile, or under the built-in one. */
export async function gather(
  all: readonly Exchange[],
  profile: object | undefined,
  onExchange: (done: number, all: number) => void
) {
  const conformance = await conform(all, { profile: profile ?? '', onExchange })
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
    ...conformance,
    /** The exchanges for operations. */
    calls,
    /** The others, below the base path. */
    foreign: basePath === undefined ? [] : others.filter(({ path }) => path.startsWith(`${basePath}/`)),
    /** Beginning of all paths; undefined if no exchange is for an operation. */
    basePath,
    /** The objects with a schema in successful replies. */
    sights: calls.flatMap((called) => sightsIn(api, called))
  }
}

/** The facts about an aspect on which both do not agree. */
export const differencesIn = ({ facts }: Evidence, aspect: Entry['key']['aspect']): readonly Entry[] =>
  facts.filter(({ key, differences }) => key.aspect === aspect && differences > 0)

export const isOk = ({ status }: Exchange): boolean => status !== null && status < 300

/** Whether a request was refused, rather than lost or the victim of a failure. */
export const isRefused = ({ status }: Exchange): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429
