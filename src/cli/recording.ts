import { toHar } from '../fidelity/recorded.js'
import { toTimestamp } from '../lib/time.js'
import type { Profile } from '../profile/profile.js'
import { differencesOf } from '../recording/difference.js'
import { conditionOf, ExpressionError } from '../recording/expression.js'
import { firstStep, statesAt, stepAt } from '../recording/moments.js'
import { describeStep, isStep, openRecording, type Recording } from '../recording/recording.js'
import { inFile } from '../recording/recording-error.js'
import { openProfile } from '../resources/open-profile.js'
import { readSubcommand } from './command.js'
import { RECORDING_COMMANDS } from './commands/recording.js'
import { textOfCall } from './ctl-call.js'
import { print, printError } from './print.js'
import { targetOf } from './target.js'
import { UsageError } from './usage.js'

interface Request {
  readonly recording: Recording
  /** Opens the profile given by `--profile`. */
  readonly profile: () => Promise<Profile>
  /** The value of a required option. */
  readonly needed: (name: string) => string
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly isJson: boolean
  /** The argument after the file. */
  readonly expression: string
}

/** Inspects a recording. @returns the exit code: 1 if `find` finds nothing */
export async function recordingCommand(args: string[]): Promise<number> {
  const { name, rest, values } = readSubcommand('recording', RECORDING_COMMANDS, args)
  const [file, expression = ''] = rest as [string, string?]
  const { json, ...flags } = values
  try {
    return await RUN[name]!({
      recording: await openRecording(file),
      profile: () => openProfile(flags['profile'] ?? ''),
      needed: (flag) => {
        const value = flags[flag]
        if (value === undefined || value === '') throw new UsageError(`recording ${name} needs --${flag}`)
        return value
      },
      flags,
      isJson: json !== undefined,
      expression
    })
  } catch (error) {
    if (error instanceof ExpressionError) throw new UsageError(error.message)
    throw inFile(file, error)
  }
}

const printJson = (value: unknown) => print(JSON.stringify(value, null, 2))

const RUN: Readonly<Record<string, (request: Request) => Promise<number>>> = {
  async info({ recording, isJson }) {
    const { version, profile, sandbox, begun, options } = recording.manifest
    const kinds: Record<string, number> = {}
    let steps = 0
    let last: string | null = null
    let complete = false
    for await (const line of recording.lines()) {
      complete = line.kind === 'end'
      if (!isStep(line)) continue
      kinds[line.kind] = (kinds[line.kind] ?? 0) + 1
      steps = line.step
      if (line.kind === 'request') last = toTimestamp(line.replied)
    }
    const info = { version, profile, sandbox, begun, last_request: last, options, steps, kinds, complete }
    if (isJson) printJson(info)
    else
      for (const [name, value] of Object.entries(info))
        print(`${name.padEnd(12)} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    return 0
  },

  async steps({ recording, isJson }) {
    for await (const line of recording.lines())
      if (isStep(line)) print(isJson ? JSON.stringify(line) : describeStep(line))
    return 0
  },

  async state({ recording, profile, needed }) {
    const step = await stepAt(recording, needed('at'))
    const [state] = await statesAt(recording, await profile(), [step])
    printJson(state)
    return 0
  },

  async diff({ recording, profile, needed, isJson }) {
    const steps = [await stepAt(recording, needed('from')), await stepAt(recording, needed('to'))]
    const [before, after] = await statesAt(recording, await profile(), steps)
    const differences = differencesOf(before, after)
    if (isJson) printJson(differences)
    else
      for (const { path, before: from, after: to } of differences)
        if (from === undefined) print(`+ ${path}: ${JSON.stringify(to)}`)
        else if (to === undefined) print(`- ${path}: ${JSON.stringify(from)}`)
        else print(`~ ${path}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`)
    return 0
  },

  async find({ recording, profile, expression, isJson }) {
    const found = await firstStep(recording, await profile(), conditionOf(expression))
    if (found === undefined) {
      printError('svc-mock: the expression does not hold after any step')
      return 1
    }
    if (isJson) printJson(found === 'beginning' ? { step: 0 } : found)
    else print(found === 'beginning' ? '     0  the beginning' : describeStep(found))
    return 0
  },

  async fork({ recording, profile, needed, flags }) {
    const key = needed('key')
    const step = await stepAt(recording, needed('at'))
    const [state] = await statesAt(recording, await profile(), [step])
    const target = targetOf({ url: flags['url'], token: flags['token'], key }, process.env)
    await textOfCall(target, { method: 'PUT', path: '/state', body: state })
    print(`The sandbox is now as it was after step ${step}.`)
    return 0
  },

  async har({ recording }) {
    for await (const line of toHar(recording)) print(line)
    return 0
  }
}
