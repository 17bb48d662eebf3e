/** Replaces the parameters of a path, such as `:name`, by their values. */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

/** The query of a URL, with its question mark, or an empty text. Omits parameters that are undefined. */
export function queryText(parameters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return text === '' ? '' : `?${text}`
}

/** A path with ids in braces. One with a dot is a field of the body, or a part without a meaning. */
interface Route {
  readonly path: string
  readonly query?: string | undefined
  /** Parameters that are elsewhere. */
  readonly moves?:
    { readonly from: Iterable<readonly [parameter: string, place: { source: string; name: string }]> } | undefined
}

/** An id in a path. */
export const ID = /\{([\w.-]+)\}/g

/** The parts of a request, with its ids and its body where a route has them. */
export function placed({ path, query, moves }: Route, input: Readonly<Record<string, unknown>>) {
  const body = input['body'] as Readonly<Record<string, unknown>> | undefined
  const inBody = new Map(Object.entries(body ?? {}))
  const wasEmpty = inBody.size === 0
  const inQuery = new URLSearchParams(query)
  for (const [parameter, { source, name }] of moves?.from ?? []) {
    if (source === 'query') inQuery.set(name, String(input[parameter]))
    else inBody.set(name, input[parameter])
  }
  const filled = path.replaceAll(ID, (_, id: string) => {
    const [name, field] = id.split('.') as [string, string?]
    const value = field === undefined ? input[name] : (inBody.get(field) ?? '-')
    if (name === 'body') inBody.delete(field!)
    return encodeURIComponent(String(value))
  })
  return {
    path: inQuery.size === 0 ? filled : `${filled}?${inQuery.toString()}`,
    body: inBody.size > 0 ? Object.fromEntries(inBody) : wasEmpty ? body : undefined
  }
}
