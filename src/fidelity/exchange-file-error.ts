/** A file of exchanges cannot be used. The message is one line for the user. */
export class ExchangeFileError extends Error {
  override readonly name = 'ExchangeFileError'

  /** @param problem what is wrong, as the end of a sentence that begins with the file */
  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file} ${problem}`, options)
  }
}
