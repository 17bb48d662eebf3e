import type { RequestRecord } from './types.js'

export interface Sendable {
  readonly operation: string | null
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body?: unknown
}

/** A request as the journal keeps it: without secrets. */
type Recorded = Pick<
  NonNullable<RequestRecord['request']>,
  'operation' | 'method' | 'path' | 'query' | 'body' | 'body_omitted'
>

/** Restores the request that the client sent. */
export function sendable({ operation, method, path, query, body }: Recorded, names: Names): Sendable {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(name, String(one))
  return {
    operation,
    method,
    path: parameters.size === 0 ? path : `${path}?${parameters.toString()}`,
    ...(body === null ? {} : { body: toWire(body, names) })
  }
}

/** Why a recorded request cannot be sent again, if so. @param isValid whether the server accepted its fields */
export function whyNotSendable(
  { query, body, body_omitted: isOmitted }: Pick<Recorded, 'query' | 'body' | 'body_omitted'>,
  isValid: boolean
): string | undefined {
  if (isOmitted === true) return 'The journal did not keep its body.'
  if (JSON.stringify([query, body]).includes('***')) return 'The journal masked its secrets.'
  return body === null && !isValid ? 'Its body is missing or could not be read.' : undefined
}

/** Names that a profile changes, by built-in name. */
export interface Names {
  readonly fields: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
}

/** Fields whose values a profile can rename, and one whose contents no profile changes. */
const LISTED = ['workspace_type_name', 'platform', 'region', 'svc_version', 'roles']
const OPEN = 'enable_configuration'

/** Translates a body from built-in names to those of the interface. */
export function toWire(body: unknown, names: Names, field = ''): unknown {
  if (typeof body === 'string') return LISTED.includes(field) ? (names.values[body] ?? body) : body
  if (typeof body !== 'object' || body === null || field === OPEN) return body
  if (Array.isArray(body)) return body.map((item) => toWire(item, names, field))
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [
      names.fields[name] ?? name,
      toWire(value, names, name)
    ])
  )
}

/** A call as a curl command for a POSIX shell. */
export function curl(method: string, url: string, headers: Readonly<Record<string, string>>, body: unknown): string {
  return [
    'curl',
    // With -X HEAD, curl would wait for a body.
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    quoted(url),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    ...(body === undefined ? [] : ['-H', quoted('content-type: application/json'), '-d', quoted(JSON.stringify(body))])
  ].join(' ')
}

/** In single quotes, only the quote itself is special. */
const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
