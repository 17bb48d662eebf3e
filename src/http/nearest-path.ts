import { nearest } from '../lib/nearest.js'

/** Where the operations are; empty: at the root. */
export interface Mount {
  readonly basePath: string
  /** Where those of the controller are, below the base path. */
  readonly prefix: string
}

/**
 * The known path that is nearest to one that does not exist, and what would make that exist, in a sentence; undefined
 * if nothing is near.
 * @param known with `:name` for a parameter
 */
export function adviceOn(path: string, known: readonly string[], { basePath, prefix }: Mount): string | undefined {
  // A slash too many makes another path.
  const asked = segmentsOf(path.replace(/\/$/, ''))
  const operations = known.filter((url) => !url.startsWith('/_mock/'))
  for (const url of operations) {
    const own = beginningOf(asked, url, basePath)
    if (own === basePath) return there(url)
    if (own !== undefined) return `${there(url)} To have it here, start the server with --base-path ${own || '/'}`
  }
  for (const url of operations) {
    const own = beginningOf(asked, url, `${basePath}${prefix}`)
    if (own !== undefined && `${own}/`.startsWith(`${basePath}/`))
      return `${there(url)} To have it here, use a profile with the line prefix: ${own.slice(basePath.length) || '/'}`
  }
  const alike =
    known.find((url) => isAlike(asked, segmentsOf(url))) ??
    known.find((url) => beginningOf(asked, url, '') !== undefined)
  return alike && there(alike)
}

/** What a path has in place of the beginning of a known one, if the rest is the same. */
function beginningOf(asked: readonly string[], url: string, beginning: string): string | undefined {
  if (!url.startsWith(`${beginning}/`)) return undefined
  const rest = segmentsOf(url.slice(beginning.length))
  const length = asked.length - rest.length
  const isSame = length >= 0 && !rest.every(isParameter) && rest.every((one, at) => fits(asked[length + at]!, one))
  return isSame
    ? asked
        .slice(0, length)
        .map((segment) => `/${segment}`)
        .join('')
    : undefined
}

/** Whether a path has as many segments as a known one, and each is like that. */
const isAlike = (asked: readonly string[], segments: readonly string[]) =>
  asked.length === segments.length &&
  segments.every((one, at) => fits(asked[at]!, one) || nearest(asked[at]!, [one]) !== undefined)

const fits = (own: string, segment: string) => (isParameter(segment) ? own !== '' : own === segment)
const segmentsOf = (path: string) => path.split('/').slice(1)
const isParameter = (segment: string) => segment.startsWith(':')
const there = (url: string) => `There is one at ${url.replaceAll(/:(\w+)/g, '{$1}')}.`
