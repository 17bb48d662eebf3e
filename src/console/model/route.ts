/** A place in the console, as the fragment of the URL names it, so that it can be linked. Never contains the key. */
export interface Route {
  readonly view: string
  /** Id of the workspace or the request that is open beside the list. */
  readonly part: string | undefined
  /** Id of the resource that the list is limited to. */
  readonly of: string | undefined
}

export function readRoute(hash: string): Route {
  const [, view = '', part, of] = /^#\/(\w+)(?:\/([^?]+))?(?:\?of=(.+))?$/.exec(hash) ?? []
  return { view, part: decoded(part), of: decoded(of) }
}

/** Links to a view, and optionally to a part of it. */
export function linkTo(view: string, part?: string, of?: string): string {
  const parts = [
    `#/${view}`,
    part === undefined ? '' : `/${encodeURIComponent(part)}`,
    of === undefined ? '' : `?of=${encodeURIComponent(of)}`
  ]
  return parts.join('')
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    // Somebody has edited the URL.
    return undefined
  }
}
