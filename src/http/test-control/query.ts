/** Parses a number in a query. Any other text is returned unchanged, and refused later. */
export function numberOf(text: string): number {
  return (/^\d+$/.test(text) ? Number(text) : text) as number
}

/** A query with its limit as a number. */
export function withLimit<T extends { limit?: string | undefined }>({
  limit,
  ...query
}: T): Omit<T, 'limit'> & { limit?: number } {
  if (limit === undefined) return query
  return { ...query, limit: numberOf(limit) }
}
