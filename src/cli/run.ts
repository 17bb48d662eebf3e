import { CommandError, exitStatusOf, startCommand } from '../run/command.js'
import { virtualClock, withVirtualTime } from '../run/virtual-time.js'
import { CLOCK_MODES, type ClockMode } from '../sim/clock.js'
import { readClientCommand, readServer, tellIgnored, variable } from './client-command.js'
import { RUN_FLAGS } from './commands/run.js'
import { type ControlCall, textOfCall } from './ctl-call.js'
import { openServer } from './own-server.js'
import { printError } from './print.js'
import { beginRecording, checkWritable, writeFromMemory } from './run-recording.js'
import { type Observation, summarize } from './run-summary.js'
import { CLIENT_VARIABLES, type Environment, type Target } from './target.js'
import { UsageError } from './usage.js'

/** Signals that the command gets in our place. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGWINCH'] as const
/** Those that ask to end. The second one ends the command in any case. */
const ENDING: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** Runs a command with a server. @returns the exit code, that of the command */
export async function runCommand(args: string[]): Promise<number> {
  const request = readRunRequest(args, process.env)
  if (request.server === undefined) tellIgnored(process.env)
  const { record, server } = request
  if (record !== undefined) checkWritable(record)
  const recording = record === undefined || server !== undefined ? undefined : beginRecording(record)
  const options =
    recording === undefined
      ? request.options
      : { ...request.options, record: recording.directory, recordKeep: 'all' as const }
  try {
    const { target, close } = await openServer({ ...request, options }, 'run')
    const code = await runWith(target, request).finally(close)
    if (recording !== undefined) recording.keep(options, target.key)
    else if (record !== undefined) await writeFromMemory(record, target)
    return code
  } finally {
    recording?.end()
  }
}

async function runWith(
  target: Target,
  { command, variables, clock, server, isTimeVirtual }: RunRequest
): Promise<number> {
  const setting = clock ?? (isTimeVirtual ? virtualClock(command[0]!) : undefined)
  if (setting !== undefined) await textOfCall(target, { method: 'PUT', path: '/clock', body: setting })
  const before = await observe(target)
  const fill = (text: string) => text.replaceAll('{url}', target.url).replaceAll('{key}', target.key ?? '')
  const env = environment(
    target,
    variables.map(([name, value]) => [name, fill(value)])
  )
  try {
    const running = await startCommand({
      argv: command.map(fill),
      env: isTimeVirtual ? withVirtualTime(env) : env,
      output: 'inherit'
    })
    const end = await endWithSignals(running)
    const place = server === undefined ? '' : ` (${target.url}, key ${target.key ?? 'none'})`
    const summary = await observe(target).then(
      (after) => summarize(before, after) + place,
      (error: unknown) => `no summary: ${(error as Error).message}`
    )
    printError(`svc-mock: ${summary}`)
    return exitStatusOf(end)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printError(`svc-mock: ${error.message}`)
    return error.exitCode
  }
}

/** The environment of the command. */
function environment({ url, key, token }: Target, variables: readonly (readonly [string, string])[]) {
  return {
    ...process.env,
    [CLIENT_VARIABLES.url]: url,
    [CLIENT_VARIABLES.key]: key ?? '',
    ...(token === undefined ? {} : { [CLIENT_VARIABLES.token]: token }),
    ...Object.fromEntries(variables)
  }
}

async function observe(target: Target): Promise<Observation> {
  const read = async (path: string): Promise<unknown> => {
    const call: ControlCall = { method: 'GET', path }
    return (JSON.parse(await textOfCall(target, call)) as { Result: unknown }).Result
  }
  const [requests, report, overview] = await Promise.all(['/requests', '/report', '/overview'].map(read))
  return { requests, report, overview } as Observation
}

/** Waits for the end of a command, and passes signals on to it. */
async function endWithSignals({ ended, signal: send, end }: Awaited<ReturnType<typeof startCommand>>) {
  let asked = 0
  const pass = (signal: NodeJS.Signals) => {
    if (ENDING.includes(signal) && ++asked > 1) void end()
    else send(signal)
  }
  for (const signal of PASSED_ON) process.on(signal, pass)
  try {
    return await ended
  } finally {
    for (const signal of PASSED_ON) process.off(signal, pass)
  }
}

/** What `svc-mock run` is asked for; without a server that runs already, one of its own has the options. */
type RunRequest = ReturnType<typeof readRunRequest>

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
