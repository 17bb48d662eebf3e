/** The trace-id and the parent-id of W3C Trace Context. */
const TRACE = '(?!0{32})[0-9a-f]{32}'
const PARENT = '(?!0{16})[0-9a-f]{16}'

/** Version 00 ends with the flags; later versions may add to it; ff is invalid. */
const TRACEPARENT = new RegExp(
  `^(?:00-(${TRACE})-${PARENT}-[0-9a-f]{2}|(?!00|ff)[0-9a-f]{2}-(${TRACE})-${PARENT}-[0-9a-f]{2}(?:-.*)?)$`
)

const TRACE_ID = new RegExp(`^${TRACE}$`)

/** The trace-id in a header `traceparent`; undefined if it is invalid, and so to be ignored. */
export function traceIdOf(traceparent: string): string | undefined {
  const [, id, ofLaterVersion] = TRACEPARENT.exec(traceparent) ?? []
  return id ?? ofLaterVersion
}

export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text)
}
