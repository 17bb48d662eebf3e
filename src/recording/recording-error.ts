/** A recording cannot be used. The message is one line for the user. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

/** An error as it is told: what is wrong with a recording names its file. Others stay as they are. */
export function inFile(file: string, error: unknown): unknown {
  return error instanceof RecordingError ? new RecordingError(`${file} ${error.message}`, { cause: error }) : error
}
