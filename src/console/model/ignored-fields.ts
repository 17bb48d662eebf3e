interface Read {
  readonly unread: readonly string[]
  readonly unread_omitted?: true | undefined
}

/** Says which fields of a request's body the server has ignored; undefined: none. */
export function ignoredFields({ unread, unread_omitted: isMore }: Read): string | undefined {
  if (unread.length === 0) return undefined
  const fields = `${unread.join(', ')}${isMore === true ? ' and more' : ''}`
  return `Unknown ${unread.length === 1 ? 'field' : 'fields'} ignored: ${fields}`
}
