import type { Static, TObject, TSchema, TUnknown } from '@sinclair/typebox'
import { check } from '../interface/check.js'
import type { FieldError } from '../interface/errors.js'
import type { Shape } from '../interface/schemas.js'
import type { Slices } from '../lib/scheduler.js'
import { strict } from '../lib/strict.js'
import type { ControlPlane, Origin } from '../resources/control-plane.js'

/** A call under way. A call across sandboxes has no origin. */
export interface CallContext<Query = unknown, Body = unknown> extends Origin {
  readonly plane: ControlPlane
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
}

/** How programs call it: the Node handle, and the Python client. */
interface MethodFace {
  /** Its name, such as `clock.read`. */
  readonly name: string
  /**
   * The fields of the query or of the body that are arguments of their own, after the ids of the path; absent: the
   * whole is one argument. A single name: the argument is the value of that field.
   */
  readonly takes?: string | readonly string[]
  /** The field of the result that it returns; absent: the whole result. */
  readonly gives?: string
  readonly returns?: string
  /** When it throws an error of the server, as the end of a sentence. */
  readonly throws?: string
}

/** A flag for a field of the query or of the body. */
export interface FlagFace {
  /** Its name, if it is not that of the field. */
  readonly flag?: string
  /** Stands for its value in the help, or lists all valid words; absent for a switch. */
  readonly value?: string
  readonly help: string
  /** Whether its value is a list, separated by commas. */
  readonly isList?: boolean
}

/** How a terminal shows a list in the result. */
export interface TableFace {
  /** The plural name of its rows, for an empty list. */
  readonly what: string
  /** The field of the result that has the rows; absent: the result is the list. */
  readonly list?: string
  /** Fields of a row, by the titles of their columns. */
  readonly columns: Readonly<Record<string, string>>
  /** A line below the table, with fields of the result in braces; `if` names the one that must be more than zero. */
  readonly note?: { readonly text: string; readonly if?: string }
}

/** How the command line calls it. */
export interface CommandFace {
  /** Its name and its arguments, without `svc-mock ctl`. */
  readonly usage: string
  /** The fields that the arguments of the usage set; those of the path if absent. */
  readonly arguments?: readonly string[]
  /** Replaces the summary. */
  readonly help?: string
  /** The flags, by the fields that they set. */
  readonly flags?: Readonly<Record<string, FlagFace>>
  /** Without `svc-mock ctl`. */
  readonly examples: readonly string[]
  /** How a terminal shows its result; absent: as JSON. */
  readonly tables?: readonly TableFace[]
}

interface CallDescription {
  /** operationId. */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Below `/_mock`; a parameter has a colon. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Names and meanings of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>
  /** Whether the body may be omitted. */
  readonly isBodyOptional?: boolean
  /** Whether `run` checks the body, which may be too large to check at once. */
  readonly checksBody?: boolean
  /** Whether its schemas depend on the profile. */
  readonly followsProfile?: boolean
  /** Maximum bytes of the body; as for the interface if absent. */
  readonly bodyLimit?: number
  /** Whether it changes nothing although its method is not GET. */
  readonly isRead?: boolean
  /** Whether it makes a sandbox larger, for which the database must have room. */
  readonly makesLarger?: boolean
  /** Whether it answers only when something has happened, or never. */
  readonly isWaiting?: boolean
  /** Whether it concerns all sandboxes, and therefore needs no credential. */
  readonly isAcrossSandboxes?: boolean
  /** Whether it needs the control token, over HTTP. */
  readonly needsToken?: boolean
  /** Whether programs poll it. */
  readonly isProbe?: boolean
  /** Another media type that the reply may have instead of the envelope. */
  readonly otherType?: string
  /** The only media type of its success, for a reply that does not end by itself. */
  readonly streamType?: string
  /** The only media type of its success, for a reply without the envelope. */
  readonly bareType?: string
  /** Names and meanings of headers that it reads. */
  readonly headers?: TSchema
  /** undefined: the clients have no method for it, or one of their own. */
  readonly program: MethodFace | undefined
  readonly command?: CommandFace
}

/** The work of a call. Empty if HTTP answers it in its own way, with a stream or after a wait. */
interface CallDeed<Context, Result> {
  /** Field errors that the schema of the body cannot detect. */
  readonly problems?: (call: Context) => readonly FieldError[]
  readonly run?: (call: Context) => Result | BareReply | Promise<Result>
  /**
   * Instead of `run`, for a result that may be large, and is cached until the next write. It must yield when isTimeUp()
   * returns true.
   */
  readonly inSlices?: (call: Context, isTimeUp: () => boolean) => Slices<Result>
  /** The message of the reply, for a call that changes something. */
  readonly says?: string | ((result: Result) => string)
}

/**
 * A call under `/_mock`. Its route, its place in the OpenAPI document, the methods of the clients for Node, Python and
 * Go, the command of `svc-mock ctl`, the tool for agents and the row in the documents follow from it.
 */
export interface ControlCall extends CallDescription, CallDeed<CallContext, unknown> {
  readonly query?: TSchema
  readonly body?: TSchema
  /** Payload of the reply. */
  readonly result?: TSchema
}

/** A result that is sent without the envelope, as `otherType`. */
export class BareReply {
  constructor(readonly content: string) {}
}

type Nothing = TObject<Record<string, never>>

/** Declares a call. Its schemas give the types of `run`. */
export function defineCall<
  Result extends TSchema = TUnknown,
  Query extends TSchema = Nothing,
  Body extends TSchema = Nothing
>(
  call: CallDescription & { readonly query?: Query; readonly body?: Body; readonly result?: Result } & CallDeed<
      CallContext<Static<Query>, Static<Body>>,
      Shape<Result>
    >
): ControlCall {
  return call as unknown as ControlCall
}

/** The object that has a method (empty: the sandbox itself), and the method's name in it. */
export function placeOfMethod({ name }: MethodFace): readonly [owner: string, name: string] {
  const [last, owner = ''] = name.split('.').reverse() as [string, string?]
  return [owner, last]
}

/** The body of a call; an optional one is empty if omitted. */
export function bodyOf({ isBodyOptional = false }: ControlCall, given: unknown): unknown {
  return given ?? (isBodyOptional ? {} : given)
}

const NOTHING = strict({})

/** Whether a call changes nothing. */
export const isReading = ({ method, isRead = false }: ControlCall): boolean => method === 'GET' || isRead

/** Whether {@link perform} makes it; otherwise, HTTP answers it in a way of its own. */
export const isPerformed = ({ run, inSlices }: ControlCall): boolean => (run ?? inSlices) !== undefined

/**
 * Checks the input of a call, over HTTP or from a program.
 * @throws {ServiceError} `invalidBody` naming every invalid field
 */
export function checkInput(call: ControlCall, context: CallContext): void {
  const { query = NOTHING, body, checksBody, problems } = call
  check(query, context.query)
  if (body === undefined) check(NOTHING, context.body ?? {})
  else if (checksBody !== true) check(body, context.body, problems?.(context))
}

/** Makes a call whose input is checked. @throws {ServiceError} if it cannot be carried out */
export function perform({ run, inSlices, makesLarger }: ControlCall, context: CallContext): unknown {
  if (makesLarger === true) context.plane.requireRoom()
  return run === undefined
    ? context.plane.read(context.sandbox, (isTimeUp) => inSlices!(context, isTimeUp))
    : run(context)
}

export function messageOf({ says = 'Done.' }: ControlCall, result: unknown): string {
  return typeof says === 'string' ? says : says(result)
}
