import type { RequestSummary } from '../api/types.js'

/**
 * Folds repeated reads, as made by a client that polls: the same read with the same status, with nothing but other
 * reads in between. A client may poll several resources in turn, so those need not be neighbours.
 * @param requests newest first
 * @returns a list for each row, which has a single request unless it was repeated
 */
export function foldReads<T extends Pick<RequestSummary, 'method' | 'path' | 'status'> & { readonly fault: unknown }>(
  requests: readonly T[]
): T[][] {
  const rows: T[][] = []
  let reads = new Map<string, T[]>()
  for (const request of requests) {
    const { method, path, status, fault } = request
    const isRead = method === 'GET' && fault === null
    const row = isRead ? reads.get(path) : undefined
    if (row !== undefined && row[0]!.status === status) row.push(request)
    else {
      const begun = [request]
      rows.push(begun)
      if (isRead) reads.set(path, begun)
      else reads = new Map()
    }
  }
  return rows
}

/** Says which fields of a request's body the server has ignored; undefined: none. */
export function ignoredFields({
  unread,
  unread_omitted: isMore
}: Pick<RequestSummary, 'unread' | 'unread_omitted'>): string | undefined {
  if (unread.length === 0) return undefined
  const fields = `${unread.join(', ')}${isMore === true ? ' and more' : ''}`
  return `Unknown ${unread.length === 1 ? 'field' : 'fields'} ignored: ${fields}`
}

/** The text that a search looks for words in. @param names of the resources in the request's path */
export function searchText(request: RequestSummary, names: string): string {
  const { operation, method, path, request_id: id, trace, error, status } = request
  return [operation, method, path, names, id, trace, error, status ?? 'lost', ignoredFields(request)]
    .join(' ')
    .toLowerCase()
}
