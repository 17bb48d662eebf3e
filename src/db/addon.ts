// An install script fetches or compiles the addon of better-sqlite3. Many package managers skip such scripts unless you
// allow them. If the addon cannot be compiled, they omit the package, because it is optional.

const BUILD =
  "run 'npm rebuild better-sqlite3' (with npm 12 or later, 'npm approve-scripts better-sqlite3' first), 'pnpm " +
  "approve-builds && pnpm rebuild better-sqlite3', 'yarn rebuild better-sqlite3' (Yarn 1: 'yarn install --force') or " +
  "'bun pm trust better-sqlite3'"

/**
 * Explains in one sentence why the SQLite addon cannot be loaded, and which command helps.
 * @returns undefined if the error is not about the addon
 */
export function addonProblem(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException
  const problem = (reason: string, remedy = BUILD) => `the SQLite addon, better-sqlite3, ${reason}; ${remedy}`
  if (code === 'MODULE_NOT_FOUND')
    return problem(
      'is not installed, because it is optional and could not be compiled',
      'install it where it can be compiled'
    )
  if (code === 'ERR_DLOPEN_FAILED') return problem('was built for another version of Node or another system')
  return message.startsWith('Could not locate the bindings file')
    ? problem('is not built, because its install script did not run')
    : undefined
}
