import type { RequestSummary } from '../api/types.js'
import { ignoredFields } from './ignored-fields.js'

/** The text that a search looks for words in. @param names of the resources in the request's path */
export function searchText(request: RequestSummary, names: string): string {
  const { operation, method, path, request_id: id, trace, error, status } = request
  return [operation, method, path, names, id, trace, error, status ?? 'lost', ignoredFields(request)]
    .join(' ')
    .toLowerCase()
}
