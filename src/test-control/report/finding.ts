/** What a client does that would not go well with the real service. */
export interface Finding {
  readonly rule:
    'polling-too-fast' | 'no-back-off' | 'retry-after-ignored' | 'error-ignored' | 'transient-state-taken-for-end'
  /** A sentence that says what was seen, and what to do about it. */
  readonly message: string
  /** RequestIDs of the requests that it is about, in order. */
  readonly requests: readonly string[]
}
