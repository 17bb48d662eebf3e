interface Answered {
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly fault: unknown
}

/**
 * Folds repeated reads, as made by a client that polls: the same read with the same status, with nothing but other
 * reads in between. A client may poll several resources in turn, so those need not be neighbours.
 * @param requests newest first
 * @returns a list for each row, which has a single request unless it was repeated
 */
export function foldReads<T extends Answered>(requests: readonly T[]): T[][] {
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
