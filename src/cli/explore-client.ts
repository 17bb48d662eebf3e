import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ExploreError } from '../explore/explore-error.js'
import type { Attempt } from '../explore/run.js'
import { CommandError, exitStatusOf, startCommand } from '../run/command.js'
import { withVirtualTime } from '../run/virtual-time.js'
import { fillPlaceholders } from './client-command.js'
import { cutAt, printable } from './table.js'
import { CLIENT_VARIABLES } from './target.js'

/** A command to run as a client. `{url}`, `{key}` and `{dir}` are placeholders. */
interface ClientCommand {
  readonly argv: readonly string[]
  readonly variables: readonly (readonly [name: string, value: string])[]
  readonly cwd: string | undefined
  readonly url: string
  /** The token of the control API, if it needs one. */
  readonly token: string | undefined
  /** Where each run has a folder. */
  readonly folders: string
  readonly isTimeVirtual: boolean
  /** Whether a recovery has its own folder. */
  readonly isRecoveryFresh: boolean
  /** Ends the running commands. */
  readonly signal: AbortSignal
}

/** How long a client may take to end after SIGTERM. */
const GRACE_MS = 1000
/** Characters kept of the end of its output. Node may print tens of thousands of them below an error. */
const KEPT = 65_536
const LONGEST_REASON = 160

/** Runs a command as a client. */
export function commandAttempt(client: ClientCommand): Attempt {
  const { argv, variables, cwd, url, token, folders, isTimeVirtual, isRecoveryFresh, signal } = client
  return async ({ key, run, isRecovery, signal: over }) => {
    if (signal.aborted) return { isDone: false, reason: 'interrupted' }
    const folder = join(folders, isRecovery && isRecoveryFresh ? `${run}-again` : String(run))
    mkdirSync(folder, { recursive: true })
    const fill = (text: string) => fillPlaceholders(text, { url, key, dir: folder })
    let tail = ''
    const env = {
      ...process.env,
      // Files that a client keeps for its recovery must not reach other runs.
      TMPDIR: folder,
      TMP: folder,
      TEMP: folder,
      [CLIENT_VARIABLES.url]: url,
      [CLIENT_VARIABLES.key]: key,
      ...(token === undefined ? {} : { [CLIENT_VARIABLES.token]: token }),
      ...Object.fromEntries(variables.map(([name, value]) => [name, fill(value)]))
    }
    const command = await startCommand({
      argv: argv.map(fill),
      env: isTimeVirtual ? withVirtualTime(env) : env,
      ...(cwd === undefined ? {} : { cwd: fill(cwd) }),
      output: (piece) => {
        tail = `${tail}${piece.toString()}`.slice(-KEPT)
      },
      graceMs: GRACE_MS
    }).catch((error: unknown) => {
      throw error instanceof CommandError ? new ExploreError(error.message) : error
    })
    const kill = () => command.signal('SIGKILL')
    for (const each of [signal, over]) each.addEventListener('abort', kill)
    // The signal may have come while the command started.
    if (AbortSignal.any([signal, over]).aborted) kill()
    const end = await command.ended
    signal.removeEventListener('abort', kill)
    const status = exitStatusOf(end)
    return status === 0 ? { isDone: true } : { isDone: false, reason: reasonOf(status, tail) }
  }
}

/** The message of an error, or a line of a log; Node prints a stack and the error's fields below it. */
const MESSAGE = /^[\w.]*(?:Error|Exception)\b.*:/i

/** The exit status, and the line of the output that gives the reason. */
function reasonOf(status: number, tail: string): string {
  const lines = tail.split('\n').filter((line) => line.trim() !== '')
  const last = lines.findLast((line) => MESSAGE.test(line)) ?? lines.at(-1)
  return `exit status ${status}${last === undefined ? '' : `: ${cutAt(printable(last.trim()), LONGEST_REASON)}`}`
}
