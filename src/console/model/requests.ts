import type { RequestSummary } from '../api/types.js'

/** Groups neighbouring reads of the same path with the same status, as a polling client makes them. */
export function foldReads<T extends Read>(requests: readonly T[]): T[][] {
  const rows: [T, ...T[]][] = []
  for (const request of requests) {
    const row = rows.at(-1)
    if (row !== undefined && isSameRead(request, row[0])) row.push(request)
    else rows.push([request])
  }
  return rows
}

type Read = Pick<RequestSummary, 'method' | 'path' | 'status'> & { readonly fault: unknown }

const isSameRead = (a: Read, b: Read) =>
  [a, b].every(({ method, fault }) => method === 'GET' && fault === null) && a.path === b.path && a.status === b.status

/** Names the fields and parameters of a request that the server ignored, if there are any. */
export function ignoredFields({
  unread,
  unread_omitted: isMore
}: Pick<RequestSummary, 'unread' | 'unread_omitted'>): string | undefined {
  if (unread.length === 0) return undefined
  const fields = `${unread.join(', ')}${isMore === true ? ' and more' : ''}`
  return `Unknown input ignored: ${fields}`
}

/** Whether a request has all words, such as `4xx`, `lost`, `fault` and `ignored`. @param names of its resources */
export function hasWords(request: RequestSummary, names: string, words: readonly string[]): boolean {
  const { operation, method, path, request_id: id, trace, error, status, fault } = request
  const outcome = [status, statusClass(status), fault && 'fault', ignoredFields(request)]
  const all = [operation, method, path, names, id, trace, error, ...outcome].join(' ').toLowerCase()
  // A short word such as `404` would be found in many random ids.
  return words.every((word) => (word.length < 4 ? all.replaceAll(/[\da-f-]{9,}/g, '') : all).includes(word))
}

/** The class of an HTTP status, such as `4xx`; `lost` if no reply was sent. */
export const statusClass = (status: number | null) => (status === null ? 'lost' : `${Math.floor(status / 100)}xx`)
