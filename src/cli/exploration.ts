import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { Exploration } from '../explore/explore.js'
import { ExploreError } from '../explore/explore-error.js'
import type { ExploreProgress } from '../explore/result.js'
import { sandboxIdOf } from '../lib/keys.js'
import { listen } from '../node/serve.js'
import { recordingFromMemory } from '../recording/from-memory.js'
import { isInNodeOrPython, knowsVirtualTime, realTimeReason, virtualClock } from '../run/virtual-time.js'
import { reachable } from './banner.js'
import type { ExploreRequest } from './explore-arguments.js'
import { commandAttempt, RunFolders } from './explore-client.js'
import { printError } from './print.js'

/** The sandbox that all runs begin like. */
const BASELINE = 'explore'

interface Watcher {
  /** Ends the exploration, with a partial report. */
  readonly signal: AbortSignal
  readonly onProgress: (progress: ExploreProgress) => void
}

/** Begins an exploration of a command, with a server of its own, which ends with the use that is made of it. */
export async function withExploration<T>(
  request: ExploreRequest & { readonly known?: ReadonlySet<string> },
  { signal, onProgress }: Watcher,
  use: (exploration: Exploration, url: string) => Promise<T>
): Promise<T> {
  const { options, stay, variables, cwd, recover, command, virtualTimeout, isRecoveryFresh } = request
  const server = await listen(options, pino({ level: 'silent' }))
  const folders = new RunFolders()
  try {
    const url = reachable(server.url)
    const baseline = await server.plane.sandboxes.open(sandboxIdOf(BASELINE))
    const token = options.controlToken === '' ? undefined : options.controlToken
    const clientIn = (isTimeVirtual: boolean) => {
      const attempt = (argv: readonly string[]) =>
        commandAttempt({ argv, variables, cwd, url, token, isTimeVirtual, isRecoveryFresh, signal }, folders)
      return { attempt: attempt(command), recover: recover === undefined ? undefined : attempt(['sh', '-c', recover]) }
    }
    const begin = (isTimeVirtual: boolean) => {
      folders.begin()
      return Exploration.begin(server.plane, baseline, clientIn(isTimeVirtual), {
        ...request,
        virtualTimeout: isTimeVirtual ? virtualTimeout : undefined,
        patience: virtualClock(command[0]!, process.env['PATH']).patience,
        inRealTime: isTimeVirtual ? clientIn(false) : undefined,
        record: (sandbox) => gzipSync(recordingFromMemory(server.plane, sandbox)),
        keepsSandboxes: stay,
        signal,
        onProgress
      })
    }
    const exploration = await inTheRightTime(request, signal, begin)
    return await use(exploration, url)
  } finally {
    server.closeConnections()
    await server.close().finally(() => folders.remove())
  }
}

/**
 * Begins in virtual time if the command is a program that it is for, or a shell that starts one; and in real time if it
 * fails with it, or if nothing sleeps by it.
 */
async function inTheRightTime(
  { command: [program = ''], isTimeVirtual }: ExploreRequest,
  signal: AbortSignal,
  begin: (isTimeVirtual: boolean) => Promise<Exploration>
): Promise<Exploration> {
  const path = process.env['PATH']
  if (isTimeVirtual === true && !knowsVirtualTime(program, path)) {
    printError(`svc-mock: ${realTimeReason(program)}`)
    return begin(false)
  }
  if (isTimeVirtual !== undefined) return begin(isTimeVirtual)
  if (!knowsVirtualTime(program, path)) return begin(false)
  const exploration = await begin(true).catch(async (error: unknown) => {
    if (!(error instanceof ExploreError) || signal.aborted) throw error
    // If it fails in real time as well, the first reason is the better one: nothing had to be waited for.
    const inRealTime = await begin(false).catch((again: unknown) => {
      throw again instanceof ExploreError ? error : again
    })
    printError(`svc-mock: time is real, because in virtual time ${error.message}`)
    return inRealTime
  })
  const isRight = isInNodeOrPython(program, path) || !exploration.isTimeVirtual || exploration.sleepsByClock
  return isRight ? exploration : begin(false)
}
