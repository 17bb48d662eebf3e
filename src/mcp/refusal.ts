import { type ErrorDetail, type FieldError, ServiceError } from '../interface/errors.js'
import { RecordingError } from '../recording/recording-error.js'

/** A tool cannot do what it is asked for. The caller gets everything in it, as the result of the tool. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly details: {
    /** HTTP status, if the server has answered. */
    readonly status?: number
    readonly fields?: readonly FieldError[]
    readonly request_id?: string
    /** What to do about it. */
    readonly remedy?: string
  }

  constructor(message: string, details: Refusal['details'] = {}, options?: ErrorOptions) {
    super(message, options)
    this.details = details
  }
}

/** The refusal of an argument. */
export function wrongArgument(field: string, reason: string): Refusal {
  return new Refusal(`The argument ${field} ${reason}.`, { fields: [{ field, reason }] })
}

/** There was no complete reply. */
export function unreachable(url: string, error: unknown): Refusal {
  const { cause, name } = error as Error
  const { code = name } = (cause ?? {}) as NodeJS.ErrnoException
  return new Refusal(
    `${url} gave no complete reply (${code}).`,
    {
      remedy:
        'A fault with the reply drop or cut does this: see the tool faults. If the server has ended, start it again, ' +
        'or this one with the address of another server: svc-mock mcp --url URL.'
    },
    { cause: error }
  )
}

/** A reply is too long to be read here. */
export function tooLong(length: number, longest: number): Refusal {
  return new Refusal(`The reply has ${length} characters, and at most ${longest} are read here.`, {
    remedy: 'Use svc-mock mcp --url URL, which reads it in a process of its own.'
  })
}

/** The fields that an error of the server names; none if there are none. */
export function fieldsIn(details: readonly ErrorDetail[] = []): { readonly fields?: readonly FieldError[] } {
  const fields = details
    .filter(({ FieldName }) => FieldName !== '')
    .map(({ FieldName: field, Reason: reason }) => ({ field, reason }))
  return fields.length === 0 ? {} : { fields }
}

/** What is told about any error; undefined if it is none that a caller can have caused. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof ServiceError) return new Refusal(error.message, fieldsIn(error.details))
  if (error instanceof RecordingError) return new Refusal(`The record of the sandbox ${error.message}.`)
  return undefined
}
