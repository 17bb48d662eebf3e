import type { Options } from '../options.js'
import { CLOCK_MODES, type ClockMode } from '../sim/clock.js'
import { readClientCommand, readServer, variable } from './client-command.js'
import { RUN_FLAGS } from './commands/run.js'
import type { Environment, Target } from './target.js'
import { UsageError } from './usage.js'

/** What `svc-mock run` is asked for. */
export interface RunRequest {
  /** The command, with placeholders. */
  readonly command: readonly string[]
  /** A server that runs already; undefined: one of its own, with these options. */
  readonly server: Target | undefined
  readonly options: Options
  /** The key of the sandbox; undefined: a new one. */
  readonly key: string | undefined
  /** Variables for the command, with placeholders. */
  readonly variables: readonly (readonly [name: string, value: string])[]
  /** How the clock of the sandbox is to run; undefined: as it does. */
  readonly clock: { readonly mode?: ClockMode; readonly rate?: number } | undefined
  readonly isTimeVirtual: boolean
  /** The file for a recording. */
  readonly record: string | undefined
}

/** Reads the command line. @throws {UsageError} naming the first thing that is wrong */
export function readRunRequest(args: readonly string[], env: Environment): RunRequest {
  const lacksCommand = 'give the command to run after --, as in svc-mock run -- npm test'
  const { values, forServer, command } = readClientCommand(args, RUN_FLAGS, lacksCommand)
  const { record, url, 'virtual-time': isTimeVirtual } = values as Record<string, string | boolean | undefined>
  if (isTimeVirtual === true && typeof url === 'string' && url.startsWith('https:'))
    throw new UsageError('--virtual-time needs a server without TLS')
  if (record === '') throw new UsageError('--record needs the name of a file')
  return {
    command,
    ...readServer(values, forServer, env),
    variables: (values as { env: readonly string[] }).env.map(variable),
    clock: clockOf(texts({ clock: values['clock'], rate: values['rate'] })),
    isTimeVirtual: isTimeVirtual === true,
    record: record as string | undefined
  }
}

function clockOf({ clock, rate }: Readonly<Record<string, string>>): RunRequest['clock'] {
  if (clock !== undefined && !CLOCK_MODES.includes(clock as ClockMode))
    throw new UsageError(`--clock must be one of ${CLOCK_MODES.join(', ')}, but is ${clock}`)
  if (rate !== undefined && !(Number(rate) > 0 && Number(rate) <= 1_000_000))
    throw new UsageError(`--rate must be a number above 0, at most 1000000, but is ${rate}`)
  if (rate !== undefined && clock !== undefined && clock !== 'real')
    throw new UsageError(`--rate has no meaning with --clock ${clock}`)
  const mode = clock ?? (rate === undefined ? undefined : 'real')
  if (mode === undefined) return undefined
  return { mode: mode as ClockMode, ...(rate === undefined ? {} : { rate: Number(rate) }) }
}

/** Leaves out what is not given. */
function texts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
