import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { sleep } from '../lib/time.js'

/** A shell's exit codes for a command that cannot be run or does not exist. */
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

/** How long a group may take to end after SIGTERM. */
const GRACE_MS = 2000
const POLL_MS = 10
/** How long to wait for the last output if a process that left the group keeps the pipe open. */
const DRAIN_MS = 500

/** A command cannot be started. The message is one line for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  /** @param exitCode a shell's exit code in the same situation */
  constructor(
    message: string,
    readonly exitCode: number,
    options?: ErrorOptions
  ) {
    super(message, options)
  }
}

export interface CommandOptions {
  /** The program and its arguments, not interpreted by a shell. */
  readonly argv: readonly string[]
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Its working directory; by default, that of this process. */
  readonly cwd?: string
  /** `inherit`: shares input and output with this process. Otherwise, there is no input. */
  readonly output: 'inherit' | ((piece: Buffer) => void)
  /** How long it may take to end after SIGTERM. */
  readonly graceMs?: number
}

/** Its exit code, or the signal that ended it. */
interface CommandEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A command in its own process group, which ends with it. */
interface RunningCommand {
  /** Settles when the command and its group have ended and its output has been read. Never rejects. */
  readonly ended: Promise<CommandEnd>
  /** Sends a signal to the whole group. */
  signal: (signal: NodeJS.Signals) => void
  /** Ends the whole group by SIGTERM, and after the grace period by SIGKILL. */
  end: () => Promise<CommandEnd>
}

/** Starts a command. @throws {CommandError} if it does not exist or cannot be run */
export async function startCommand({ graceMs = GRACE_MS, ...options }: CommandOptions): Promise<RunningCommand> {
  const child = await spawned(options)
  const group = child.pid!
  const closed = once(child, 'close')
  let ending: Promise<void> | undefined
  const endAll = () => (ending ??= endGroup(group, graceMs))
  const ended = run()
  return {
    ended,
    signal: (signal) => void send(group, signal),
    end: () => {
      void endAll()
      return ended
    }
  }

  async function run(): Promise<CommandEnd> {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    // It may have left other processes behind.
    await endAll()
    const drained = new AbortController()
    void closed.finally(() => drained.abort())
    await sleep(DRAIN_MS, drained.signal)
    child.stdout?.destroy()
    child.stderr?.destroy()
    return { code, signal }
  }
}

/** The exit status as a shell reports it. */
export function exitStatusOf({ code, signal }: CommandEnd): number {
  return code ?? 128 + constants.signals[signal!]
}

async function spawned({ argv, env, cwd, output }: CommandOptions): Promise<ChildProcess> {
  const [program = '', ...args] = argv
  try {
    const child = spawn(program, args, {
      env,
      ...(cwd === undefined ? {} : { cwd }),
      // Starts a group, so that the command does not get the terminal's Ctrl-C twice.
      detached: true,
      stdio: output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe']
    })
    // The pipe of a killed group may break.
    if (output !== 'inherit')
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', output).on('error', () => undefined)
    await once(child, 'spawn')
    return child
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Node blames the program for a missing folder.
    if (cwd !== undefined && !existsSync(cwd))
      throw new CommandError(`there is no folder ${cwd}`, NOT_FOUND, { cause: error })
    if (code === 'ENOENT' || code === 'ERR_INVALID_ARG_VALUE')
      throw new CommandError(`there is no command ${program}`, NOT_FOUND, { cause: error })
    throw new CommandError(`${program} cannot be run (${code ?? message})`, NOT_EXECUTABLE, { cause: error })
  }
}

/** Ends a process group, except processes that have left it. */
async function endGroup(group: number, graceMs: number): Promise<void> {
  if (!send(group, 'SIGTERM')) return
  // A stopped process would not end.
  send(group, 'SIGCONT')
  const { signal } = new AbortController()
  for (let waited = 0; waited < graceMs; waited += POLL_MS) {
    await sleep(POLL_MS, signal)
    if (!send(group, 0)) return
  }
  send(group, 'SIGKILL')
}

/** Sends a signal to a group. @returns whether it has any process */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch {
    return false
  }
}
