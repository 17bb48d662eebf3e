/** A plan cannot be used, or has failed. The message is one line for the user. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}

/** The service refused a credential when it was used for the first time. */
export class CredentialError extends PlanError {
  readonly credential: 'key' | 'session'

  constructor(credential: 'key' | 'session', status: number) {
    super(`the service refused the credential (${status})`)
    this.credential = credential
  }
}

/** A step has failed on which others depend. */
export class StepError extends PlanError {
  /** Names of values that it would take, and was not given. */
  readonly missing: readonly string[]

  constructor(message: string, missing: readonly string[]) {
    super(message)
    this.missing = missing
  }
}
