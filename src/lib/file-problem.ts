/** Why a file cannot be read or written: the end of a sentence that begins with its name. */
export function fileProblem(error: unknown, done: 'read' | 'written'): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
      return done === 'read' ? 'does not exist' : 'cannot be written: its directory does not exist'
    case 'EISDIR':
      return 'is a directory, not a file'
    case 'EACCES':
      return `cannot be ${done}: permission denied`
    default:
      return `cannot be ${done} (${code ?? message})`
  }
}
