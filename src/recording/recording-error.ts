import { BareError } from '../lib/call-site.js'

/** A recording cannot be used. The message is one line for the user. */
export class RecordingError extends BareError {
  override readonly name = 'RecordingError'
}

/** Adds the file's name to a {@link RecordingError}; returns other errors unchanged. */
export function inFile(file: string, error: unknown): unknown {
  return error instanceof RecordingError ? new RecordingError(`${file} ${error.message}`, { cause: error }) : error
}
