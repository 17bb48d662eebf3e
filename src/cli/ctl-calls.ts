import type { TSchema } from '@sinclair/typebox'
import { CALLS } from '../test-control/calls.js'
import type { CommandFace, ControlCall, FlagFace } from '../test-control/control-call.js'

/** The part of a request that an argument goes to. */
type Place = 'path' | 'query' | 'body' | 'below'

interface CommandFlag extends Omit<FlagFace, 'flag'> {
  /** The field that it sets. */
  readonly field: string
}

/** A command of `svc-mock ctl`: all that the command line needs of a call. */
export interface ControlCommand extends Omit<CommandFace, 'arguments' | 'flags'> {
  readonly help: string
  readonly method: ControlCall['method']
  /** Below `/_mock`; a parameter has a colon. */
  readonly path: string
  readonly hasBody: boolean
  /** The only field of the body, if the argument is its value. */
  readonly wraps?: string
  readonly arguments: readonly { readonly field: string; readonly place: Place }[]
  /** Without the common ones. */
  readonly flags: Readonly<Record<string, CommandFlag>>
}

const JSON_FORMS = 'JSON is the text itself, @FILE, or - for standard input.'

/**
 * All commands, in the order of the help. `npm run build` replaces this module by its value, so that the command line
 * loads neither the server nor its schemas.
 */
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
