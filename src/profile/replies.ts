import { type TSchema, Type } from '@sinclair/typebox'
import { isOperation } from '../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { toGoTime, toSeconds, toTimestamp } from '../lib/time.js'
import { by, checkKnown, checkOperation, type Complain, positiveLength, readLength } from './form.js'
import { compileIds, IdsSchema } from './ids.js'
import { compileTemplate } from './template.js'

/** Statuses that successes can have. */
export const STATUSES: readonly number[] = [200, 201, 202, 204]

/** The forms of an empty field: `null`, an empty list, an empty text, or absent. */
export const EMPTY = { null: () => null, list: () => [], text: () => '', absent: () => undefined } as const
type EmptyForm = keyof typeof EMPTY

/** The forms of a time in milliseconds. */
const TIMES = {
  milliseconds: toTimestamp,
  seconds: (time: number) => toSeconds(toTimestamp(time)),
  go: (time: number) => toGoTime(toTimestamp(time)),
  unix: (time: number) => Math.floor(time / 1000),
  unix_ms: (time: number) => time
} as const
type TimeForm = keyof typeof TIMES

/** The members of the envelope. */
export const MEMBERS = ['Error', 'ErrorDetails', 'Message', 'RequestID', 'Result'] as const

const byOperation = <T extends TSchema>(entry: T, description = 'By operationId.') =>
  Type.Optional(by(description, entry))

const byField = <T extends TSchema>(entry: T) => Type.Optional(by('By the built-in name of a field.', entry))

export const RepliesSchema = strict(
  {
    envelope: Type.Optional(
      enumeration(
        ['none'],
        'Replies are only their `Result`, or an empty object without one. Errors keep the envelope.'
      )
    ),
    error: Type.Optional(
      Type.Unknown({
        description:
          'The body of every error, with `{{message}}`, `{{type}}`, `{{status}}`, `{{request_id}}` and `{{details}}`.'
      })
    ),
    status: byOperation(
      Type.Union(
        STATUSES.map((status) => Type.Literal(status)),
        { description: 'Status of a success.' }
      )
    ),
    under: byOperation(
      Type.String({ pattern: '^[A-Za-z_][\\w-]*$', description: 'Name of a field.' }),
      'By operationId: the field of an object around the result.'
    ),
    results: byOperation(
      enumeration(['list', 'first'], 'A list with the result in it, or the first item of a list; null if it is empty.')
    ),
    empty: byField(enumeration(Object.keys(EMPTY) as EmptyForm[], 'The form of an empty text or list, or of null.')),
    lag: byOperation(
      positiveLength('How old it is, by the clock of the sandbox: a duration.'),
      'By operationId of a read: its reply shows an earlier state, as far as the journal reaches back.'
    ),
    ids: Type.Optional(IdsSchema),
    order: Type.Optional(
      Type.Array(enumeration(MEMBERS, 'A member of the envelope.'), {
        uniqueItems: true,
        description: 'The first members of the envelope, in this order.'
      })
    ),
    slow: Type.Optional(
      strict(
        {
          by: positiveLength('The delay, by the clock of the machine: a duration.'),
          after: positiveLength('The pause before a delayed request, by the clock of the sandbox: a duration.')
        },
        { description: 'Delays the first request of a sandbox, and each one after a pause.' }
      )
    ),
    timestamps: byField(enumeration(Object.keys(TIMES) as TimeForm[], 'The form of a timestamp.'))
  },
  { description: 'The form of replies.' }
)
type RepliesDocument = Shape<typeof RepliesSchema>

export type Replies = ReturnType<typeof compileReplies>

/** Operations that always answer with a 204. */
const WITHOUT_BODY: readonly string[] = ['updateOrgUserRoles']

export function compileReplies(document: RepliesDocument, complain: Complain) {
  const {
    envelope,
    error,
    status = {},
    under = {},
    results = {},
    empty = {},
    lag = {},
    timestamps = {},
    ids,
    order = [],
    slow
  } = document
  for (const [part, operations] of Object.entries({ status, under, results, lag })) {
    for (const operation of Object.keys(operations)) {
      const place = `replies.${part}.${operation}`
      if (checkOperation(operation, place, complain) && WITHOUT_BODY.includes(operation))
        complain(place, 'is always a 204 without a body')
    }
  }
  for (const operation of Object.keys(lag))
    if (isOperation(operation) && OPERATION_ROUTES[operation].method !== 'GET')
      complain(`replies.lag.${operation}`, 'does not only read')
  const known = { words: ['message', 'type', 'status', 'request_id', 'details'], sources: {} }
  return {
    isBare: envelope === 'none',
    error: error === undefined ? undefined : compileTemplate(error, 'replies.error', known, complain),
    statuses: new Map(Object.entries(status)),
    keys: new Map(Object.entries(under)),
    results: new Map(Object.entries(results)),
    /** Make the value of an empty field; undefined if it is absent. */
    empty: new Map(Object.entries(empty).map(([field, form]) => [field, EMPTY[form]])),
    /** The age of replies, as a duration, by operation. */
    lags: new Map(Object.entries(lag)),
    times: new Map(Object.entries(timestamps).map(([field, form]) => [field, TIMES[form]])),
    /** The delay of first replies, and the pause after which a reply counts as the first. Milliseconds. */
    slow: slow && { by: readLength(slow.by), after: readLength(slow.after) },
    ids: ids && compileIds(ids, complain),
    /** The members of the envelope that come first. */
    order
  }
}

/** Reports unknown fields. @param known the fields of the interface */
export function checkReplyFields(
  { empty = {}, timestamps = {}, ids = {} }: RepliesDocument,
  known: readonly string[],
  complain: Complain
): void {
  for (const [part, fields] of Object.entries({ empty, timestamps, ids }))
    for (const field of Object.keys(fields))
      checkKnown(field, known, `replies.${part}.${field}`, 'is not a field of the interface', complain)
}
