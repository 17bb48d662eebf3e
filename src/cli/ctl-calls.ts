import type { TSchema } from '@sinclair/typebox'
import { CALLS } from '../test-control/calls.js'
import type { CommandFace, ControlCall } from '../test-control/control-call.js'

/** Where an argument of a command goes. */
type Place = 'path' | 'query' | 'body' | 'below'

/** What the command line knows of a call. */
export interface CommandCall extends Omit<CommandFace, 'arguments'> {
  readonly help: string
  readonly method: ControlCall['method']
  /** Below `/_mock`; a parameter has a colon. */
  readonly path: string
  readonly hasBody: boolean
  /** The only field of the body that the argument gives. */
  readonly wraps?: string
  readonly arguments: readonly { readonly field: string; readonly place: Place }[]
}

// `npm run build` puts the value in the place of this module, so that the command line loads neither the server nor its
// schemas.

/** The calls that the command line makes. */
export const COMMAND_CALLS: readonly CommandCall[] = CALLS.flatMap((call) =>
  call.command === undefined ? [] : [commandCall(call, call.command)]
)

function commandCall(call: ControlCall, command: CommandFace): CommandCall {
  const { method, path, summary, params = {}, body, program } = call
  const names = command.arguments ?? Object.keys(params)
  return {
    ...command,
    help: command.help ?? `${summary}.`,
    method,
    path,
    hasBody: body !== undefined,
    ...(typeof program?.takes === 'string' ? { wraps: program.takes } : {}),
    arguments: names.map((field) => ({ field, place: placeOf(field, call) }))
  }
}

function placeOf(field: string, { params, query, body }: ControlCall): Place {
  const has = (schema: TSchema | undefined) => Object.hasOwn((schema?.['properties'] ?? {}) as object, field)
  if (Object.hasOwn(params ?? {}, field)) return 'path'
  if (has(query)) return 'query'
  return has(body) ? 'body' : 'below'
}
