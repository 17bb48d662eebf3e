/** An error of SQLite, as both drivers throw it. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  /** The result code, such as `SQLITE_FULL`. */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** The result code of an error of SQLite; undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  const { name, code } = error as Partial<SqliteError>
  return name === 'SqliteError' ? code : undefined
}
