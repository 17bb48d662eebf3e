import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// An install script fetches or compiles the addon of better-sqlite3. Many package managers skip such scripts unless you
// allow them. If the addon cannot be compiled, they omit the package, because it is optional.

interface Manager {
  /** Files that only this package manager leaves in a project or its `node_modules`. */
  readonly traces: readonly string[]
  /** Builds the addon. */
  readonly command: string
  /** A step that some versions need first. */
  readonly before?: string
}

const NPM: Manager = {
  traces: ['node_modules/.package-lock.json'],
  command: 'npm rebuild better-sqlite3',
  before: "npm 12 or later needs 'npm approve-scripts better-sqlite3' first"
}

/** Files in `node_modules` say more than lockfiles, which stay when a project changes its package manager. */
const MANAGERS: readonly Manager[] = [
  { traces: ['node_modules/.modules.yaml'], command: 'pnpm approve-builds && pnpm rebuild better-sqlite3' },
  NPM,
  { traces: ['node_modules/.yarn-integrity'], command: 'yarn install --force' },
  {
    traces: ['node_modules/.yarn-state.yml', '.pnp.cjs'],
    command: 'yarn rebuild better-sqlite3',
    before: 'Yarn 4.14 or later needs "dependenciesMeta": {"better-sqlite3": {"built": true}} in package.json first'
  },
  { traces: ['bun.lock', 'bun.lockb'], command: 'bun pm trust better-sqlite3' }
]

/**
 * Explains in one sentence why the SQLite addon cannot be loaded, and which command helps.
 * @param modulePath a file of better-sqlite3
 * @returns undefined if the error is not about the addon
 */
export function addonProblem(error: unknown, modulePath?: string): string | undefined {
  const reason = reasonOf(error)
  if (reason === undefined) return undefined
  if (isMissing(error)) return `the SQLite addon, better-sqlite3, ${reason}; install it where it can be compiled`
  const { command, before } = managerOf(modulePath ?? createRequire(import.meta.url).resolve('better-sqlite3'))
  const first = before === undefined ? '' : ` (${before})`
  return `the SQLite addon, better-sqlite3, ${reason}; run '${command}'${first}`
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND'

function reasonOf(error: unknown): string | undefined {
  if (isMissing(error)) return 'is not installed, because it is optional and could not be compiled'
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ERR_DLOPEN_FAILED') return 'was built for another version of Node or another system'
  if (message.startsWith('Could not locate the bindings file'))
    return 'is not built, because its install script did not run'
  return undefined
}

/** The package manager that installed a file, by the traces in the folders above it; npm if there are none. */
function managerOf(path: string): Manager {
  const folder = dirname(path)
  if (folder === path) return NPM
  const found = MANAGERS.find(({ traces }) => traces.some((trace) => existsSync(join(folder, trace))))
  return found ?? managerOf(folder)
}
