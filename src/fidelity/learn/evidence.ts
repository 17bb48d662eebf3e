import type { Conformance } from '../conform.js'
import type { Entry } from '../fact-book.js'

/** What a comparison with the mock, under a profile, shows of a service. */
export type Evidence = Conformance

export const differencesIn = ({ facts }: Evidence, aspect: Entry['key']['aspect']): readonly Entry[] =>
  facts.filter(({ key, differences }) => key.aspect === aspect && differences > 0)
