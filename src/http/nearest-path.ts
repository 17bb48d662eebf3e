import { editsBetween, LONGEST_WORD } from '../lib/nearest.js'

/** A path of the server. */
export interface KnownPath {
  /** With `:name` for a parameter. */
  readonly url: string
  /** Whether it is one of an operation, which the base path moves. */
  readonly isOperation: boolean
}

/** Where the operations are; empty: at the root. */
export interface Mount {
  readonly basePath: string
  /** Where those of the controller are, below the base path. */
  readonly prefix: string
}

interface Known extends KnownPath {
  readonly segments: readonly string[]
}

/** More edits than this in a segment make another word. */
const MOST_EDITS = 3

/**
 * What a path that does not exist was probably meant to be, and what would make it exist, as sentences; undefined if
 * nothing is close.
 */
export function adviceOn(path: string, paths: Iterable<KnownPath>, mount: Mount): string | undefined {
  const asked = segmentsOf(path)
  const known = [...paths].map((one): Known => ({ ...one, segments: segmentsOf(one.url) }))
  return slashed(path, asked, known) ?? moved(asked, known, mount) ?? misspelt(asked, known)
}

/** A path with one slash too many, or too few, at its end. */
function slashed(path: string, asked: readonly string[], known: readonly Known[]): string | undefined {
  const other = path.endsWith('/') ? asked.slice(0, -1) : [...asked, '']
  const found = known.find(({ segments }) => fits(other, segments))
  return found && `There is one at ${shown(found)}, ${path.endsWith('/') ? 'without' : 'with'} a slash at its end.`
}

/** A path that exists under another beginning. */
function moved(asked: readonly string[], known: readonly Known[], { basePath, prefix }: Mount): string | undefined {
  const [base, before] = [basePath, `${basePath}${prefix}`].map((path) => (path === '' ? [] : segmentsOf(path)))
  for (const one of known.filter(({ isOperation }) => isOperation)) {
    const there = `There is one at ${shown(one)}. To have it here,`
    const own = ownBeginning(asked, one.segments, base!)
    if (own !== undefined) return `${there} start the server with --base-path /${own.join('/')}`
    const ownPrefix = ownBeginning(asked, one.segments, before!)
    if (ownPrefix !== undefined && startsWith(ownPrefix, base!))
      return `${there} use a profile with the line prefix: /${ownPrefix.slice(base!.length).join('/')}`
  }
  const same = known.find(({ segments }) => {
    const less = Math.min(asked.length, segments.length)
    return fits(asked.slice(-less), segments.slice(-less))
  })
  return same && `There is one at ${shown(same)}.`
}

/** What a path has in place of a known beginning, if all that follows is the same. */
function ownBeginning(asked: readonly string[], segments: readonly string[], beginning: readonly string[]) {
  const tail = segments.slice(beginning.length)
  const length = asked.length - tail.length
  const isKnown = tail.length > 0 && startsWith(segments, beginning)
  return isKnown && length >= 0 && fits(asked.slice(length), tail) ? asked.slice(0, length) : undefined
}

const startsWith = (segments: readonly string[], beginning: readonly string[]) =>
  beginning.every((segment, index) => segments[index] === segment)

/** The path that differs by the fewest letters. */
function misspelt(asked: readonly string[], known: readonly Known[]): string | undefined {
  let least = Infinity
  let best: Known | undefined
  for (const one of known) {
    const edits = editsTo(asked, one.segments)
    if (edits >= least) continue
    least = edits
    best = one
  }
  return best && `Did you mean ${shown(best)}?`
}

function editsTo(asked: readonly string[], segments: readonly string[]): number {
  if (asked.length !== segments.length) return Infinity
  let sum = 0
  for (const [index, segment] of segments.entries()) {
    const own = asked[index]!
    if (isParameter(segment) || own === segment) continue
    const edits = own.length > LONGEST_WORD ? Infinity : editsBetween(own.toLowerCase(), segment.toLowerCase())
    sum += edits <= Math.min(MOST_EDITS, segment.length / 2) ? edits : Infinity
  }
  return sum
}

/** Whether a path is one of those that a template stands for. It must not consist of ids alone. */
function fits(asked: readonly string[], segments: readonly string[]): boolean {
  return (
    asked.length === segments.length &&
    segments.some((segment) => !isParameter(segment)) &&
    segments.every((segment, index) => (isParameter(segment) ? asked[index] !== '' : asked[index] === segment))
  )
}

const segmentsOf = (path: string) => path.split('/').slice(1)
const isParameter = (segment: string) => segment.startsWith(':')
const shown = ({ url }: Known) => url.replaceAll(/:(\w+)/g, '{$1}')
