import type { TSchema } from '@sinclair/typebox'
import { CALLS } from '../test-control/calls.js'
import type { CommandFace, ControlCall, FlagFace } from '../test-control/control-call.js'

/** Where an argument of a command goes. */
type Place = 'path' | 'query' | 'body' | 'below'

/** A flag, and the field that it sets. */
interface CommandFlag extends Omit<FlagFace, 'flag'> {
  readonly field: string
}

/** A command of `svc-mock ctl`: what the command line knows of a call. */
export interface ControlCommand extends Omit<CommandFace, 'arguments' | 'flags'> {
  readonly help: string
  readonly method: ControlCall['method']
  /** Below `/_mock`; a parameter has a colon. */
  readonly path: string
  readonly hasBody: boolean
  /** The only field of the body that the argument gives. */
  readonly wraps?: string
  readonly arguments: readonly { readonly field: string; readonly place: Place }[]
  /** Besides the common ones. */
  readonly flags: Readonly<Record<string, CommandFlag>>
}

/** Ends the help of what takes JSON. */
const JSON_FORMS = 'JSON is the text itself, @FILE, or - for standard input.'

// `npm run build` puts the value in the place of this module, so that the command line loads neither the server nor its
// schemas.

/** All commands, in the order of the help. */
export const CONTROL_COMMANDS: readonly ControlCommand[] = CALLS.flatMap((call) =>
  call.command === undefined ? [] : [commandOf(call, call.command)]
)

function commandOf(call: ControlCall, command: CommandFace): ControlCommand {
  const { method, path, summary, params = {}, body, program } = call
  const { usage, help = `${summary}.`, arguments: names = Object.keys(params), flags = {} } = command
  return {
    ...command,
    help: usage.endsWith(' JSON') ? `${help} ${JSON_FORMS}` : help,
    method,
    path,
    hasBody: body !== undefined,
    ...(typeof program?.takes === 'string' ? { wraps: program.takes } : {}),
    arguments: names.map((field) => ({ field, place: placeOf(field, call) })),
    flags: Object.fromEntries(
      Object.entries(flags).map(([field, { flag = field, ...face }]) => [flag, { ...face, field }])
    )
  }
}

function placeOf(field: string, { params, query, body }: ControlCall): Place {
  const has = (schema: TSchema | undefined) => Object.hasOwn((schema?.['properties'] ?? {}) as object, field)
  if (Object.hasOwn(params ?? {}, field)) return 'path'
  if (has(query)) return 'query'
  return has(body) ? 'body' : 'below'
}
