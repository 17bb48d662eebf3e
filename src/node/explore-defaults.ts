import type { Options } from '../options.js'

/** The journal must have all requests of a run. */
const JOURNAL = { journalRequests: 100_000, journalBytes: 64 * 2 ** 20, journalTotalBytes: 512 * 2 ** 20 } as const

/** Options of a server for explorations: ids repeat, and transitions end at the next request. */
export const EXPLORE_DEFAULTS: Partial<Options> = { ...JOURNAL, seed: 1, transitions: 'instant' }
