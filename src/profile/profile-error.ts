import { BareError } from '../lib/call-site.js'

/** A profile cannot be used. The message is one line for the user. */
export class ProfileError extends BareError {
  override readonly name = 'ProfileError'
  /** What is wrong in the profile, a line for each; none if it could not be read. */
  readonly problems: readonly string[]

  constructor(message: string, options?: ErrorOptions, problems: readonly string[] = []) {
    super(message, options)
    this.problems = problems
  }
}
