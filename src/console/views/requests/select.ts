import type { RequestSummary } from '../../api/types'
import { idsInPath } from '../../model/paths'
import { searchText } from '../../model/requests'
import type { SandboxModel } from '../../model/sandbox'

const hasStatus = (digit: string) => (request: RequestSummary) => String(request.status).startsWith(digit)

/** Kinds of requests to choose from. */
export const KINDS: readonly (readonly [value: string, name: string, isOf: (request: RequestSummary) => boolean])[] = [
  ['', 'Any status', () => true],
  ['2', '2xx', hasStatus('2')],
  ['4', '4xx', hasStatus('4')],
  ['5', '5xx', hasStatus('5')],
  ['lost', 'Lost', ({ status }) => status === null],
  ['fault', 'With a fault', ({ fault }) => fault !== null],
  ['ignored', 'With ignored fields', ({ unread }) => unread.length > 0]
]

/**
 * The requests that meet all that is given, newest first.
 * @param text words that they contain
 * @param kind one of {@link KINDS}
 * @param of id of the resource that they are about
 */
export function selectRequests(model: SandboxModel, text: string, kind: string, of: string | undefined) {
  const words = text.toLowerCase().split(/\s+/)
  const [, , isOf] = KINDS.find(([value]) => value === kind)!
  const isAbout = of === undefined ? () => true : aboutResource(model, of)
  return model.requests
    .filter((request) => {
      const all = searchText(request, namesOf(model, request.path))
      return isOf(request) && isAbout(request) && words.every((word) => all.includes(word))
    })
    .reverse()
}

/** A request is about a resource if its path names it, or if it has changed its state, as the one that created it. */
function aboutResource({ timeline }: SandboxModel, id: string): (request: RequestSummary) => boolean {
  const causes = new Set(timeline.filter((item) => item.resource_id === id).map((item) => item.request_id))
  return (request) => causes.has(request.request_id) || idsInPath(request.path).includes(id)
}

/** Names of the resources in a path. */
export function namesOf(model: SandboxModel, path: string): string {
  return idsInPath(path)
    .map((id) => model.nameOf(id))
    .filter((name) => name !== undefined)
    .join(' / ')
}
