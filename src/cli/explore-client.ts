import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExploreError } from '../explore/explore-error.js'
import type { Attempt } from '../explore/run.js'
import { CommandError, exitStatusOf, startCommand } from '../run/command.js'
import { withVirtualTime } from '../run/virtual-time.js'
import { cutAt, printable } from './table.js'
import { CLIENT_VARIABLES } from './target.js'

/** A command to run as a client. In its texts, `{url}`, `{key}` and `{dir}` are placeholders. */
interface ClientCommand {
  readonly argv: readonly string[]
  readonly variables: readonly (readonly [name: string, value: string])[]
  readonly cwd: string | undefined
  readonly url: string
  /** The token of the control API; undefined: it needs none. */
  readonly token: string | undefined
  readonly isTimeVirtual: boolean
  /** Whether a run that follows another one has a folder of its own. */
  readonly isRecoveryFresh: boolean
  /** Ends the commands that run. */
  readonly signal: AbortSignal
}

/** What a client that is told to end may take for it. */
const GRACE_MS = 1000
/** How much of the end of its output is kept, in characters. */
const KEPT = 4096
const LONGEST_REASON = 160

/** Folders for what belongs to a run. */
export class RunFolders {
  #root: string | undefined
  #beginnings = 0

  /** Numbers of runs begin again from now on. */
  begin(): void {
    this.#beginnings++
  }

  /** A folder, by the number of a run. */
  of(run: string): string {
    this.#root ??= mkdtempSync(join(tmpdir(), 'svc-mock-explore-'))
    const folder = join(this.#root, `${this.#beginnings}-${run}`)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  remove(): void {
    if (this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true })
  }
}

/** Runs a command as a client. */
export function commandAttempt(client: ClientCommand, folders: RunFolders): Attempt {
  const { argv, variables, cwd, url, token, isTimeVirtual, isRecoveryFresh, signal } = client
  return async ({ key, run, isRecovery, signal: over }) => {
    if (signal.aborted) return { isDone: false, reason: 'interrupted' }
    const folder = folders.of(isRecovery && isRecoveryFresh ? `${run}-again` : String(run))
    const fill = (text: string) => text.replaceAll('{url}', url).replaceAll('{key}', key).replaceAll('{dir}', folder)
    let tail = ''
    const env = {
      ...process.env,
      // What a client keeps between a run and its recovery must not reach other runs.
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
    // It may have been while the command started.
    if (AbortSignal.any([signal, over]).aborted) kill()
    const end = await command.ended
    signal.removeEventListener('abort', kill)
    const status = exitStatusOf(end)
    return status === 0 ? { isDone: true } : { isDone: false, reason: reasonOf(status, tail) }
  }
}

/** An error as Node and Python tell it; Node adds a stack, and the fields of the error, below. */
const MESSAGE = /^[\w.]*(?:Error|Exception)\b.*:/

/** The exit status, and the line of the output that says why. */
function reasonOf(status: number, tail: string): string {
  const lines = tail.split('\n').filter((line) => line.trim() !== '')
  const last = lines.findLast((line) => MESSAGE.test(line)) ?? lines.at(-1)
  return `exit status ${status}${last === undefined ? '' : `: ${cutAt(printable(last.trim()), LONGEST_REASON)}`}`
}
