/** A query with its limit as a number. A query is text; what is no number stays as it is, and is refused. */
export function withLimit<T extends { limit?: string | undefined }>({ limit, ...query }: T): Omit<T, 'limit'> & { limit?: number } {
  if (limit === undefined) return query
  return { ...query, limit: (/^\d+$/.test(limit) ? Number(limit) : limit) as number }
}
