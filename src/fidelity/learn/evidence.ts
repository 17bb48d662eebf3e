import { conform } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { sightsIn } from '../sights.js'

/** The result of comparing exchanges with the mock under a profile. */
export type Evidence = Awaited<ReturnType<typeof gather>>

export async function gather(
  all: readonly Exchange[],
  profile: object | undefined,
  onExchange: (done: number, all: number) => void
) {
  const conformance = await conform(all, { profile: profile ?? '', onExchange })
  const { api, exchanges, calls } = conformance
  const known = new Set(calls.map(({ exchange }) => exchange))
  return {
    ...conformance,
    /** Exchanges that no operation of the mock serves. */
    foreign: exchanges.filter((exchange) => !known.has(exchange)),
    sights: calls.flatMap((called) => sightsIn(api, called))
  }
}

export const differencesIn = ({ facts }: Evidence, aspect: Entry['key']['aspect']): readonly Entry[] =>
  facts.filter(({ key, differences }) => key.aspect === aspect && differences > 0)

export const isOk = ({ status }: Exchange): boolean => status !== null && status < 300

/** Whether a request was refused, rather than lost, limited or failed. */
export const isRefused = ({ status }: Exchange): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429
