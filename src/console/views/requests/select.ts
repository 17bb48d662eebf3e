import type { RequestSummary } from '../../api/types'
import { idsInPath } from '../../model/paths'
import type { SandboxModel } from '../../model/sandbox'
import { searchText } from '../../model/search-text'

/** Limits the list. Everything that is given must be met. */
export interface RequestFilter {
  /** Words that a request contains; all if empty. */
  readonly text: string
  /** One of {@link KINDS}. */
  readonly kind: string
  /** Id of the resource that the requests are about. */
  readonly of: string | undefined
}

export const KINDS = [
  ['', 'Any status'],
  ['2', '2xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['lost', 'Lost'],
  ['fault', 'With a fault'],
  ['ignored', 'With ignored fields']
] as const

/** The requests that a filter admits, newest first. */
export function selectRequests(model: SandboxModel, { text, kind, of }: RequestFilter): RequestSummary[] {
  const words = text.toLowerCase().split(/\s+/)
  const isAbout = of === undefined ? () => true : aboutResource(model, of)
  return model.requests
    .filter((request) => {
      const all = searchText(request, namesOf(model, request.path))
      return isOf(request, kind) && isAbout(request) && words.every((word) => all.includes(word))
    })
    .reverse()
}

/** A request is about a resource if its path names it, or if it has changed its state, as the one that created it. */
function aboutResource({ timeline }: SandboxModel, id: string): (request: RequestSummary) => boolean {
  const causes = new Set(timeline.filter((item) => item.resource_id === id).map((item) => item.request_id))
  return (request) => causes.has(request.request_id) || idsInPath(request.path).includes(id)
}

function isOf({ status, fault, unread }: RequestSummary, kind: string): boolean {
  switch (kind) {
    case '':
      return true
    case 'fault':
      return fault !== null
    case 'ignored':
      return unread.length > 0
    case 'lost':
      return status === null
    default:
      return String(status).startsWith(kind)
  }
}

/** Names of the resources in a path. */
export function namesOf(model: SandboxModel, path: string): string {
  return idsInPath(path)
    .map((id) => model.nameOf(id))
    .filter((name) => name !== undefined)
    .join(' / ')
}
