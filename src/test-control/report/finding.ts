/** The rules of the report, and what breaks each. */
export const RULES = {
  'polling-too-fast':
    'three or more reads of one URL in a row, each less than a second after the last, with no other call ' +
    'about the resource in between',
  'no-back-off':
    'the same call again within a second of a 429 or a 503 that has no `Retry-After`, unless the pauses grow, ' +
    'from a tenth of a second or more',
  'retry-after-ignored': 'the same call again before its `Retry-After` has passed',
  'error-ignored': 'the identical call after a 4xx other than 429, with the same error again',
  'transient-state-taken-for-end':
    'the client last saw a workspace in a transient state and then called an operation that the state ' +
    "forbids; or it did not look again within ten seconds of that state's end, by the sandbox's clock",
  'ignored-input':
    'a field of a body, or a query parameter, that the operation does not have: the service answers as if it ' +
    'were not there',
  'unknown-path': 'a path that does not exist'
} as const

export type Rule = keyof typeof RULES

/** Client behaviour that would cause trouble with the real service. */
export interface Finding {
  readonly rule: Rule
  /** A sentence that says what was seen, and what to do about it. */
  readonly message: string
  /** RequestIDs of the requests involved, in order. */
  readonly requests: readonly string[]
}
