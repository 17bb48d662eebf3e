import { conform } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { type Called, sightsIn } from '../sights.js'

/** The result of comparing exchanges with the mock under a profile. */
export type Evidence = Awaited<ReturnType<typeof gather>>

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
    calls,
    /** Exchanges below the base path that no operation of the mock serves. */
    foreign: basePath === undefined ? [] : others.filter(({ path }) => path.startsWith(`${basePath}/`)),
    /** Undefined if no exchange is for an operation. */
    basePath,
    sights: calls.flatMap((called) => sightsIn(api, called))
  }
}

export const differencesIn = ({ facts }: Evidence, aspect: Entry['key']['aspect']): readonly Entry[] =>
  facts.filter(({ key, differences }) => key.aspect === aspect && differences > 0)

export const isOk = ({ status }: Exchange): boolean => status !== null && status < 300

/** Whether a request was refused, rather than lost, limited or failed. */
export const isRefused = ({ status }: Exchange): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429
