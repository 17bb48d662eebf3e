/** A document cannot be learned from. The message completes the sentence that begins with its name. */
export class LearnError extends Error {
  override readonly name = 'LearnError'
}
