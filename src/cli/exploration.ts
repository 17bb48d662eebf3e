import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { Exploration } from '../explore/explore.js'
import { ExploreError } from '../explore/explore-error.js'
import { ReferenceHung } from '../explore/reference.js'
import type { ExploreProgress } from '../explore/result.js'
import { sandboxIdOf } from '../lib/secrets.js'
import { listen } from '../node/serve.js'
import { recordingFromMemory } from '../recording/from-memory.js'
import { isInNodeOrPython } from '../run/virtual-time.js'
import { VIRTUAL_CLOCK } from '../sim/clock.js'
import type { ExploreRequest } from './explore-arguments.js'
import { commandAttempt } from './explore-client.js'
import { printError } from './print.js'
import { reachable } from './target.js'

/** Key of the sandbox with whose contents each run begins. */
const BASELINE = 'explore'

/** A time zone that differs from most others by hours and minutes. */
const ELSEWHERE = 'Asia/Kathmandu'

interface Watcher {
  /** Ends the exploration early. */
  readonly signal: AbortSignal
  readonly onProgress: (progress: ExploreProgress) => void
}

/** Explores a command with a server of its own, which runs until `use` settles. */
export async function withExploration<T>(
  request: ExploreRequest & { readonly known?: ReadonlySet<string> },
  { signal, onProgress }: Watcher,
  use: (exploration: Exploration, url: string) => Promise<T>
): Promise<T> {
  const { options, stay, variables, cwd, recover, command, virtualTimeout, isRecoveryFresh } = request
  const server = await listen(options, pino({ level: 'silent' }))
  let root = ''
  let explorations = 0
  try {
    root = mkdtempSync(join(tmpdir(), 'svc-mock-explore-'))
    const url = reachable(server.url)
    const baseline = await server.plane.sandboxes.open(sandboxIdOf(BASELINE))
    const token = options.controlToken === '' ? undefined : options.controlToken
    const clientIn = (isTimeVirtual: boolean, folders: string) => {
      const client = { argv: command, variables, cwd, url, token, folders, isTimeVirtual, isRecoveryFresh, signal }
      return {
        attempt: commandAttempt(client),
        recover: recover === undefined ? undefined : commandAttempt({ ...client, argv: ['sh', '-c', recover] }),
        elsewhere: commandAttempt({ ...client, variables: [['TZ', ELSEWHERE], ...variables] })
      }
    }
    const begin = (isTimeVirtual: boolean) => {
      // The numbers of runs begin again.
      const folders = join(root, String(explorations++))
      return Exploration.begin(server.plane, baseline, clientIn(isTimeVirtual, folders), {
        ...request,
        virtualTimeout: isTimeVirtual ? virtualTimeout : undefined,
        // Node and Python always sleep by the clock; other programs may sleep in real time.
        patience: isInNodeOrPython(command[0]!) ? undefined : VIRTUAL_CLOCK.patience,
        inRealTime: isTimeVirtual ? clientIn(false, folders) : undefined,
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
    await server.close().finally(() => {
      if (root !== '') rmSync(root, { recursive: true, force: true })
    })
  }
}

/** Begins in virtual time; if the command fails in it, or nothing that it runs sleeps by it, begins in real time. */
async function inTheRightTime(
  { command: [program = ''], isTimeVirtual }: ExploreRequest,
  signal: AbortSignal,
  begin: (isTimeVirtual: boolean) => Promise<Exploration>
): Promise<Exploration> {
  if (isTimeVirtual !== undefined) return begin(isTimeVirtual)
  let failure: ExploreError | undefined
  try {
    const exploration = await begin(true)
    if (isInNodeOrPython(program) || exploration.sleepsByClock) return exploration
  } catch (error) {
    if (!(error instanceof ExploreError) || signal.aborted) throw error
    failure = error
  }
  const exploration = await begin(false).catch((error: unknown) => {
    // Virtual time shows more of a client that never ends.
    throw failure instanceof ReferenceHung && error instanceof ReferenceHung ? failure : error
  })
  if (failure !== undefined) printError(`svc-mock: time is real, because in virtual time ${failure.message}`)
  return exploration
}
