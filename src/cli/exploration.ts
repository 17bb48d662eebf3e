import { pino } from 'pino'
import { Exploration } from '../explore/explore.js'
import type { ExploreProgress } from '../explore/result.js'
import { OptionError } from '../options.js'
import { sandboxIdOf } from '../sandboxes/keys.js'
import { listen } from '../serve.js'
import { reachable } from './banner.js'
import type { ExploreRequest } from './explore-arguments.js'
import { commandAttempt, type RunFolders } from './explore-client.js'
import { readReportFile } from './explore-files.js'
import { UsageError } from './usage.js'

/** The sandbox that all runs begin like. */
const BASELINE = 'explore'

interface Watcher {
  /** Ends the exploration, with a partial report. */
  readonly signal: AbortSignal
  readonly folders: RunFolders
  readonly onProgress: (progress: ExploreProgress) => void
}

/** Begins an exploration of a command, with a server of its own, which ends with the use that is made of it. */
export async function withExploration<T>(
  request: ExploreRequest,
  { signal, folders, onProgress }: Watcher,
  use: (exploration: Exploration, url: string) => Promise<T>
): Promise<T> {
  const { options, baseline: known, stay, variables, cwd, recover, command } = request
  const server = await listen(options, pino({ level: 'silent' })).catch((error: unknown) => {
    throw error instanceof OptionError ? new UsageError(error.message) : error
  })
  try {
    const url = reachable(server.url)
    const baseline = await server.plane.sandboxes.open(sandboxIdOf(BASELINE))
    const attempt = (argv: readonly string[]) => commandAttempt({ argv, variables, cwd, url, signal }, folders)
    const exploration = await Exploration.begin(server.plane, baseline, attempt(command), {
      ...request,
      known: new Set(known === undefined ? [] : readReportFile(known)),
      isVirtual: false,
      recover: recover === undefined ? undefined : attempt(['sh', '-c', recover]),
      keepsSandboxes: stay,
      signal,
      onProgress
    })
    return await use(exploration, url)
  } finally {
    server.closeConnections()
    await server.close()
  }
}
