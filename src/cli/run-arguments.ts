import type { Options } from '../options.js'
import { CLOCK_MODES, type ClockMode } from '../sim/clock.js'
import { flagsHelp, readClientCommand, readServer, serverOptionsHelp, variable } from './client-command.js'
import type { Flag } from './ctl-commands.js'
import { CLIENT_VARIABLES, type Environment, type Target } from './target.js'
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

/** The options of the command besides those of the server. */
export const RUN_FLAGS: Readonly<Record<string, Flag>> = {
  env: {
    value: 'NAME=VALUE',
    help: 'A variable for the command, in which {url} and {key} stand for those of the server. Repeatable.',
    isList: true
  },
  'virtual-time': {
    help:
      'Waiting takes no time: while all of the client sleeps, the clock jumps. For programs in Node and Python; for ' +
      'others, use --clock poll or --rate.'
  },
  clock: {
    value: CLOCK_MODES.join('|'),
    help: 'How the clock of the sandbox runs; poll: every poll leads to the next state.'
  },
  rate: { value: 'N', help: 'Seconds of the sandbox per second of the machine.' },
  record: {
    value: 'FILE',
    help: 'Write a recording of the run, for svc-mock recording. With --url, what the memory of the server has.'
  },
  url: { value: 'URL', help: 'Use the server that runs there, instead of one of its own.' },
  key: { value: 'KEY', help: 'The key of the sandbox. Default: a new one.' },
  token: {
    value: 'TOKEN',
    help: `With --url: the token of its --control-token. Environment: ${CLIENT_VARIABLES.token}.`
  }
}

export const RUN_HELP = `Usage: svc-mock run [options] -- COMMAND [ARGUMENT…]

Runs a command with a server of its own: in memory, on a free port, gone at the
end. The command finds it by SVC_MOCK_URL and SVC_MOCK_KEY; in its arguments,
{url} and {key} stand for them. A summary follows on standard error.

Options:
${flagsHelp(RUN_FLAGS)}

Options of the server (not with --url), which is in memory, on a free port and
silent by default:
${serverOptionsHelp([...Object.keys(RUN_FLAGS), 'record-keep'])}

Examples:
  svc-mock run -- npm test
  svc-mock run --seed-file seed.yaml --env API_URL={url} -- pytest tests
  svc-mock run --virtual-time --transitions realistic -- python3 provision.py
  svc-mock run --demo -- curl -H 'x-api-key: {key}' {url}/controller/v4/v2/workgroups

Exit codes: that of the command; 128 and the number of the signal that ended it;
127 if it does not exist, 126 if it cannot be run, 2 for a mistake in the options.`

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
    variables: ((values as { env?: string[] }).env ?? []).map(variable),
    clock: clockOf(texts({ clock: values['clock'], rate: values['rate'] }), isTimeVirtual === true),
    isTimeVirtual: isTimeVirtual === true,
    record: record as string | undefined
  }
}

function clockOf({ clock, rate }: Readonly<Record<string, string>>, isTimeVirtual: boolean): RunRequest['clock'] {
  if (clock !== undefined && !CLOCK_MODES.includes(clock as ClockMode))
    throw new UsageError(`--clock must be one of ${CLOCK_MODES.join(', ')}, but is ${clock}`)
  if (rate !== undefined && !(Number(rate) > 0 && Number(rate) <= 1_000_000))
    throw new UsageError(`--rate must be a number above 0, at most 1000000, but is ${rate}`)
  if (rate !== undefined && clock !== undefined && clock !== 'real')
    throw new UsageError(`--rate has no meaning with --clock ${clock}`)
  const mode = clock ?? (rate === undefined ? (isTimeVirtual ? 'frozen' : undefined) : 'real')
  if (mode === undefined) return undefined
  return { mode: mode as ClockMode, ...(rate === undefined ? {} : { rate: Number(rate) }) }
}

/** Leaves out what is not given. */
function texts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
