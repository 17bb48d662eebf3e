/** A request and its reply. */
export interface Exchange {
  /** Its place among all exchanges that were read, from 1. */
  readonly number: number
  /** When the request began and the reply was complete, in milliseconds since 1970. */
  readonly sent: number
  readonly answered: number
  /** Scheme and host in lower case; absent if the source has only exchanges with the service. */
  readonly origin?: string
  /** In upper case. */
  readonly method: string
  /** As it was sent: with the base path and percent-encoding, without the query. */
  readonly path: string
  /** Without the question mark; empty if there was none. */
  readonly query: string
  /** By name in lower case; several values are joined by a comma. Empty if the headers are unknown. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** JSON as its value, anything else as text; absent if there was none. */
  readonly requestBody?: unknown
  /** null if no reply came. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body was too large to keep, or could not be masked. */
  readonly isBodyOmitted?: true
  /** Sizes of the omitted bodies, in bytes. Not every file has them. */
  readonly omitted?: { readonly requestBody?: number; readonly body?: number }
  /** Why bodies were omitted. */
  readonly reason?: string
}

export const isOk = ({ status }: Exchange): boolean => status !== null && status < 300

/** Whether a reply does not show if the request had an effect, or what it was: another one or a later one does. */
export const saysNothing = ({ status }: Exchange): boolean =>
  status === null || (status >= 300 && status < 400) || status === 408 || status === 429 || status >= 500

/** Whether a request was refused, rather than lost, limited or failed. */
export const isRefused = (exchange: Exchange): boolean => !saysNothing(exchange) && exchange.status! >= 400
