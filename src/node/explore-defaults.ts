import type { Options } from '../options.js'

/** For explorations: ids repeat, transitions end at the next request, and the journal holds all requests of a run. */
export const EXPLORE_DEFAULTS: Partial<Options> = {
  seed: 1,
  transitions: 'instant',
  journalRequests: 100_000,
  journalBytes: 64 * 2 ** 20,
  journalTotalBytes: 512 * 2 ** 20
}
