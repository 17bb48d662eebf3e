import { BareError } from './call-site.js'

// A file of its own: the public types would need TypeBox, which nobody has installed, if it stood beside the profile.

/** A profile cannot be used. The message is a single line for the user. */
export class ProfileError extends BareError {
  override readonly name = 'ProfileError'
  /** A line for each problem in the profile; none if it could not be read. */
  readonly problems: readonly string[]

  constructor(message: string, options?: { cause?: unknown }, problems: readonly string[] = []) {
    super(message, options)
    this.problems = problems
  }
}
