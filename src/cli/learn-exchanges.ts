import type { Note } from '../fidelity/learn/draft.js'
import { learnFromExchanges } from '../fidelity/learn/learn.js'
import type { Learned } from '../fidelity/openapi/learn.js'
import { readExchanges } from '../fidelity/read.js'
import { printError } from './print.js'
import { ProgressLine } from './progress-line.js'

/** How long nothing is said of the progress, in milliseconds. */
const QUIET_MS = 1000

/** A profile that was learned from files, with what is said of it, in rows. */
interface LearnedFromFiles {
  readonly profile: object
  readonly notes: readonly Note[]
  readonly lines: readonly (readonly [name: string, value: string])[]
}

/**
 * Learns a profile from recorded exchanges.
 * @param name of the profile
 * @param base what was learned from an OpenAPI document
 */
export async function learnFromFiles(
  files: readonly string[],
  name: string | undefined,
  base: Learned | undefined
): Promise<LearnedFromFiles> {
  const exchanges = await readExchanges(files, {
    onRemark: (remark) => printError(`svc-mock: ${remark}`)
  })
  const all = files.join(', ')
  if (exchanges.length === 0) throw new Error(`${all} ${files.length === 1 ? 'has' : 'have'} no exchanges`)
  const progress = new ProgressLine()
  const begun = performance.now()
  const { profile, notes, conformance } = await learnFromExchanges(exchanges, {
    name,
    base,
    onExchange: (done, total, round) => {
      if (performance.now() - begun > QUIET_MS) progress.show(`comparison ${round}: ${done} of ${total} exchanges`)
    }
  }).finally(() => progress.clear())
  const { compared } = conformance.counts
  if (compared === 0)
    throw new Error(
      `${all}: none of ${exchanges.length} exchanges is an answer at a path of the interface; ` +
        'if the service has other paths, give its OpenAPI document with --openapi'
    )
  const left = conformance.ledger.filter(({ verdict }) => verdict === 'contradicted').length
  const unclear = notes.filter(({ isUnclear }) => isUnclear).length
  return {
    profile,
    notes,
    lines: [
      ['compared', `${compared} of ${exchanges.length} exchanges`],
      ['left', `${left} assumptions that still differ${left === 0 ? '' : '; see the first comments in the profile'}`],
      ['unclear', `${unclear}${unclear === 0 ? '' : '; see the comments in the profile'}`]
    ]
  }
}
