/** A request to the interface that can be sent. */
export interface Sendable {
  readonly operation: string | null
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body?: unknown
}

/** A request as the journal has it: without secrets, and with the path and the query apart. */
interface Recorded {
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly body_omitted?: true | undefined
}

/** A recorded request as it was sent, to an interface of this brand. */
export function sendable({ operation, method, path, query, body }: Recorded, brand: string): Sendable {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(name, String(one))
  return {
    operation,
    method,
    path: parameters.size === 0 ? path : `${path}?${parameters.toString()}`,
    ...(body === null ? {} : { body: branded(body, brand) })
  }
}

/**
 * Why a recorded request cannot be sent again; undefined if it can.
 * @param isValid whether the server could use its body
 */
export function whyNotSendable(
  { query, body, body_omitted: isOmitted }: Pick<Recorded, 'query' | 'body' | 'body_omitted'>,
  isValid: boolean
): string | undefined {
  if (isOmitted === true) return 'The journal has not kept its body.'
  if (JSON.stringify([query, body]).includes('***')) return 'The journal has masked its secrets.'
  return body === null && !isValid ? 'It had no body, or one that could not be read.' : undefined
}

/** The journal has neutral names. An interface of another brand takes its own; in a body, these are at the top. */
function branded(body: unknown, brand: string): unknown {
  if (brand === 'svc' || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [
      name.replace(/^svc_/, `${brand}_`),
      name === 'workspace_type_name' && typeof value === 'string'
        ? value.replace(/^SVC-/, `${brand.toUpperCase()}-`)
        : value
    ])
  )
}
