import { CLOCK_MODES, type ClockMode } from '../sim/clock.js'
import { readClientCommand, readServer, variable } from './client-command.js'
import { RUN_FLAGS } from './commands/run.js'
import type { Environment } from './target.js'
import { UsageError } from './usage.js'

/** What `svc-mock run` is asked for; without a server that runs already, one of its own has the options. */
export type RunRequest = ReturnType<typeof readRunRequest>

/** Reads the command line. @throws {UsageError} naming the first thing that is wrong */
export function readRunRequest(args: readonly string[], env: Environment) {
  const lacksCommand = 'give the command to run after --, as in svc-mock run -- npm test'
  const { values, forServer, command } = readClientCommand(args, RUN_FLAGS, lacksCommand)
  const { url, key, token, record, 'virtual-time': isTimeVirtual = false } = values
  if (isTimeVirtual && url?.startsWith('https:') === true)
    throw new UsageError('--virtual-time needs a server without TLS')
  if (record === '') throw new UsageError('--record needs the name of a file')
  return {
    command,
    ...readServer({ url, key, token }, forServer, env),
    variables: values.env.map(variable),
    clock: clockOf(values.clock, values.rate),
    isTimeVirtual,
    record
  }
}

/** How the clock of the sandbox is to run; undefined: as it does. */
function clockOf(clock: string | undefined, rate: string | undefined) {
  if (clock !== undefined && !CLOCK_MODES.includes(clock as ClockMode))
    throw new UsageError(`--clock must be one of ${CLOCK_MODES.join(', ')}, but is ${clock}`)
  if (rate !== undefined && !(Number(rate) > 0 && Number(rate) <= 1_000_000))
    throw new UsageError(`--rate must be a number above 0, at most 1000000, but is ${rate}`)
  if (rate !== undefined && clock !== undefined && clock !== 'real')
    throw new UsageError(`--rate has no meaning with --clock ${clock}`)
  if (rate !== undefined) return { mode: 'real', rate: Number(rate) }
  return clock === undefined ? undefined : { mode: clock }
}
