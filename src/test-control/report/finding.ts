export const RULES = [
  'polling-too-fast',
  'no-back-off',
  'retry-after-ignored',
  'error-ignored',
  'transient-state-taken-for-end',
  'ignored-input',
  'unknown-path'
] as const

/** Client behaviour that would cause trouble with the real service. */
export interface Finding {
  readonly rule: (typeof RULES)[number]
  /** A sentence that says what was seen, and what to do about it. */
  readonly message: string
  /** RequestIDs of the requests involved, in order. */
  readonly requests: readonly string[]
}
