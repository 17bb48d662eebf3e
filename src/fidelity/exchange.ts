/** A request and its reply, seen from outside. */
export interface Exchange {
  /** Its place among all that were read, from 1. */
  readonly number: number
  /** When the request began and the reply was complete, in milliseconds since 1970. */
  readonly sent: number
  readonly answered: number
  /** Scheme and host in lower case; absent if the source has exchanges with the service only. */
  readonly origin?: string
  /** In upper case. */
  readonly method: string
  /** Path as it was sent, with a base path and percent-encoding, without the query. */
  readonly path: string
  /** Query without the question mark; empty if there was none. */
  readonly query: string
  /** Headers by name in lower case; several values are joined by a comma. Empty if they are not known. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** JSON as its value, anything else as text; absent: there was none. */
  readonly requestBody?: unknown
  /** null: no reply came. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether a body is missing because it was too large to keep, or might hide secrets. */
  readonly isBodyOmitted?: true
  /** Sizes of the bodies that are missing, in bytes. Not every file has them. */
  readonly omitted?: { readonly requestBody?: number; readonly body?: number }
  /** Why they are missing. */
  readonly reason?: string
}
