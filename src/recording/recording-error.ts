/** A recording cannot be used. The message is one line for the user. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}
