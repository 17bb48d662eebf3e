import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { sleep } from '../lib/time.js'

/** Statuses of a shell for a command that is there but cannot run, and for one that is not there. */
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

/** How long a group may take to end after SIGTERM. */
const GRACE_MS = 2000

/** How often to look whether a group has ended. */
const LOOK_MS = 10

/** How long the last output of a command may take, if a process that left the group keeps the pipe open. */
const DRAIN_MS = 500

/** A command cannot be started. The message is one line for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  /** @param exitCode the status of a shell in the same situation */
  constructor(
    message: string,
    readonly exitCode: number,
    options?: ErrorOptions
  ) {
    super(message, options)
  }
}

/** Where the output of a command goes, other than to the terminal. */
interface CommandOutput {
  /** Called with each piece of output. */
  readonly write: (piece: Buffer, stream: 'stdout' | 'stderr') => void
  /** Maximum number of bytes. The rest is read and dropped, so that the command does not block. */
  readonly limit: number
}

export interface CommandOptions {
  /** The program and its arguments; no shell reads them. */
  readonly argv: readonly string[]
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Its folder; that of this process if absent. */
  readonly cwd?: string
  /** `inherit`: input and output are those of this process. Otherwise, there is no input. */
  readonly output: 'inherit' | CommandOutput
  /** How long it may run before it is ended. */
  readonly timeLimitMs?: number
  /** How long it may take to end after SIGTERM before it is killed. */
  readonly graceMs?: number
}

/** How a command ended. */
interface CommandEnd {
  /** Its exit status; null if a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  /** Number of bytes of output beyond the limit. */
  readonly droppedBytes: number
}

/** A command that runs in a process group of its own, so that what it starts can be ended with it. */
interface RunningCommand {
  readonly pid: number
  /** Settles when the command and the rest of its group have ended and its output has been read. Never rejects. */
  readonly ended: Promise<CommandEnd>
  /** Sends a signal to the whole group. */
  signal: (signal: NodeJS.Signals) => void
  /** Ends the whole group: with SIGTERM, and after the grace period with SIGKILL. */
  end: () => Promise<CommandEnd>
}

/**
 * Starts a command.
 * @throws {CommandError} if there is no such command, or it cannot be run
 */
export async function startCommand(options: CommandOptions): Promise<RunningCommand> {
  const { argv, env, cwd, output, timeLimitMs, graceMs = GRACE_MS } = options
  const [program = '', ...args] = argv
  const child = await spawned(program, cwd, () =>
    spawn(program, args, {
      env,
      ...(cwd === undefined ? {} : { cwd }),
      // It begins a group, and does not get the Ctrl-C of the terminal twice.
      detached: true,
      stdio: output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe']
    })
  )
  const group = child.pid!
  const closed = once(child, 'close')
  const read = output === 'inherit' ? () => 0 : readOutput(child, output)
  const exited = new AbortController()
  let ending: Promise<void> | undefined
  let timedOut = false

  const ended = run()
  return {
    pid: group,
    ended,
    signal: (signal) => {
      send(group, signal)
    },
    end: () => {
      void endAll()
      return ended
    }
  }

  function endAll(): Promise<void> {
    return (ending ??= endGroup(group, graceMs))
  }

  async function run(): Promise<CommandEnd> {
    const exit = once(child, 'exit') as Promise<CommandExit>
    if (timeLimitMs !== undefined) void limitTime(timeLimitMs)
    const [code, signal] = await exit
    exited.abort()
    // It may have left others behind.
    await endAll()
    await inTime(closed, DRAIN_MS)
    child.stdout?.destroy()
    child.stderr?.destroy()
    return { code, signal, timedOut, droppedBytes: read() }
  }

  async function limitTime(limit: number): Promise<void> {
    await sleep(limit, exited.signal)
    if (exited.signal.aborted) return
    timedOut = true
    await endAll()
  }
}

/** The exit status that a shell gives a command. */
export function exitStatusOf({ code, signal }: Pick<CommandEnd, 'code' | 'signal'>): number {
  return code ?? 128 + constants.signals[signal!]
}

type CommandExit = [code: number | null, signal: NodeJS.Signals | null]

/** Waits until a process has started. */
async function spawned(program: string, cwd: string | undefined, start: () => ChildProcess): Promise<ChildProcess> {
  try {
    const child = start()
    await once(child, 'spawn')
    return child
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, program, cwd)
  }
}

function explain(error: NodeJS.ErrnoException, program: string, cwd: string | undefined): CommandError {
  const place = cwd === undefined ? '' : ` (in ${cwd})`
  switch (error.code) {
    case 'ENOENT':
    case 'ERR_INVALID_ARG_VALUE':
      return new CommandError(`there is no command ${program}${place}`, NOT_FOUND, { cause: error })
    default:
      return new CommandError(`${program} cannot be run (${error.code ?? error.message})`, NOT_EXECUTABLE, {
        cause: error
      })
  }
}

/** Reads what a command writes. @returns a function that tells how many bytes were dropped */
function readOutput({ stdout, stderr }: ChildProcess, { write, limit }: CommandOutput): () => number {
  let size = 0
  let dropped = 0
  for (const [name, stream] of [['stdout', stdout!] as const, ['stderr', stderr!] as const]) {
    stream.on('data', (piece: Buffer) => {
      const room = Math.max(0, limit - size)
      size += piece.length
      dropped += Math.max(0, piece.length - room)
      if (room > 0) write(piece.subarray(0, room), name)
    })
    // The pipe of a group that was killed may break.
    stream.on('error', () => undefined)
  }
  return () => dropped
}

/** Ends a process group. Processes that have left it are not reached. */
async function endGroup(group: number, graceMs: number): Promise<void> {
  if (!send(group, 'SIGTERM')) return
  // What is stopped would not end.
  send(group, 'SIGCONT')
  const { signal } = new AbortController()
  for (let waited = 0; waited < graceMs; waited += LOOK_MS) {
    await sleep(LOOK_MS, signal)
    if (!send(group, 0)) return
  }
  send(group, 'SIGKILL')
}

/** Sends a signal to a group. @returns whether there is any process in it */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch {
    return false
  }
}

/** Waits for something, but not for longer than a time. */
async function inTime(wanted: Promise<unknown>, limitMs: number): Promise<void> {
  const done = new AbortController()
  const finished = wanted.finally(() => done.abort())
  await Promise.race([finished, sleep(limitMs, done.signal)])
}
