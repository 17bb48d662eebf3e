import type { Conformance } from '../conform.js'
import type { Exchange } from '../exchange.js'
import type { Entry } from '../fact-book.js'
import { saysNothing } from '../replay/replay.js'

/** What a comparison with the mock, under a profile, shows of a service. */
export type Evidence = Conformance

export const differencesIn = ({ facts }: Evidence, aspect: Entry['key']['aspect']): readonly Entry[] =>
  facts.filter(({ key, differences }) => key.aspect === aspect && differences > 0)

export const isOk = ({ status }: Exchange): boolean => status !== null && status < 300

/** Whether a request was refused, rather than lost, limited or failed. */
export const isRefused = (exchange: Exchange): boolean => !saysNothing(exchange) && exchange.status! >= 400
