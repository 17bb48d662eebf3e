import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../../interface/schemas.js'
import { nullable, strict, timestamp } from '../../lib/strict.js'
import { TimelineEntrySchema, TimelineQuerySchema } from '../../sim/schemas.js'

const text = (description: string) => Type.String({ description })
const open = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

export const RequestFilterSchema = strict({
  operation: Type.Optional(text('Only calls of this operation.')),
  status: Type.Optional(text('Only replies with this status, such as 404, or of this class, such as 4xx.')),
  request_id: Type.Optional(text('Only requests with this RequestID.')),
  trace: Type.Optional(text('Only requests of this trace: the trace-id of their header `traceparent`.')),
  since: Type.Optional(timestamp('Only requests that were received then or later, by the clock of the machine.')),
  limit: TimelineQuerySchema.properties.limit
})

const requestFields = {
  request_id: text('RequestID. If a client uses one twice, both requests are listed.'),
  trace: Type.Optional(text('The trace-id of its header `traceparent` (W3C Trace Context); absent if there was none.')),
  at: timestamp('When it arrived, by the clock of the sandbox.'),
  received: timestamp('When it arrived, by the clock of the machine.'),
  operation: nullable(
    Type.String(),
    'operationId; null for a request that matches none, such as one with a wrong URL.'
  ),
  stub: Type.Optional(text('Name of the stub in the profile that answered; absent if none did.')),
  method: text('HTTP method.'),
  path: text('Path without the query.'),
  query: open('Parameters of the query, without secrets.'),
  status: nullable(
    Type.Integer(),
    'HTTP status of the reply; null if a fault dropped it, or the client left during the delay of one; 499 if the ' +
      'client disconnected while it sent the body.'
  ),
  duration_ms: Type.Integer({ description: 'Milliseconds until the reply.' }),
  body: Type.Unknown({ description: 'The body, without secrets; null if there was none, or it could not be read.' }),
  body_omitted: Type.Optional(Type.Literal(true, { description: 'There was a body, but it is too large to keep.' })),
  unread: Type.Array(Type.String(), {
    description:
      'Query parameters and body fields that the operation does not read, such as `?region` and `addons.0.colour`; ' +
      'the first 100.'
  }),
  unread_omitted: Type.Optional(Type.Literal(true, { description: 'There are more than are listed.' })),
  error: nullable(Type.String(), 'Message of the error, if it failed.'),
  condition: nullable(
    Type.String(),
    'Why it was refused: a condition of the errors, such as `notAllowed`; null if it was not, or by a fault.'
  ),
  fault: Type.Unknown({ description: 'The injected fault: `id`, `phase` and `effect`; null if there was none.' })
}

export const RecordedRequestSchema = strict(requestFields, { description: 'A recorded request.' })
export type RecordedRequest = Shape<typeof RecordedRequestSchema>

export const RequestListSchema = strict({
  requests: Type.Array(RecordedRequestSchema, { description: 'Oldest first.' }),
  total: Type.Integer({ description: 'Number of requests that match, with those that the limit leaves out.' }),
  dropped: Type.Integer({ description: 'Number of older requests that are no longer kept.' })
})

const RowChangeSchema = strict(
  {
    table: text('Name of the table.'),
    change: enumeration(['insert', 'update', 'delete'], 'What happened to the row.'),
    id: nullable(Type.String(), 'Id of the row, if it has one.'),
    before: nullable(
      open('Columns as stored: 0 and 1 for false and true, JSON as text.'),
      'The row before; of an update, only the columns that differ. null: it was created.'
    ),
    after: nullable(
      open('Columns as stored.'),
      'The row after; of an update, only the columns that differ. null: it was deleted.'
    )
  },
  { description: 'A change of a row.' }
)

const EventSchema = strict(
  {
    event: text('Name of a transition, or of an action of a schedule or an auto-stop.'),
    resource_id: text('Id of the workspace.'),
    due: nullable(Type.String(), 'When it is, or was, due; null while it is held.'),
    held: Type.Boolean({ description: 'Whether it waits for a release.' }),
    state: enumeration(['pending', 'fired', 'cancelled'], 'Its outcome.'),
    at: nullable(Type.String(), 'When it fired, if that is known.'),
    cancelled_by: nullable(Type.String(), 'RequestID of the request that cancelled it, if that is known.'),
    changes: Type.Array(RowChangeSchema, { description: 'Rows it changed when it fired.' })
  },
  { description: 'An event that the request scheduled.' }
)

export const RequestRecordSchema = strict(
  {
    request: nullable(
      strict({
        ...requestFields,
        params: open('Parameters of the path.'),
        reply: Type.Unknown({
          description:
            'The reply without secrets, parsed if it is JSON; null if there was none, or it is larger than 16 KiB.'
        })
      }),
      'The entry of the list, with `params` of the path and the `reply` (up to 16 KiB, without secrets); null if the ' +
        'journal has dropped it, or it did not come over HTTP.'
    ),
    validation: strict(
      {
        ok: Type.Boolean({ description: 'Whether the request was valid.' }),
        faults: Type.Array(strict({ field: text('Dotted path.'), reason: text('The problem, in words.') }), {
          description: 'The field errors.'
        })
      },
      { description: 'Result of the validation.' }
    ),
    fault: Type.Unknown({ description: 'The injected fault; null if there was none.' }),
    changes: Type.Array(RowChangeSchema, { description: 'Rows that the request itself changed, in order.' }),
    events: Type.Array(EventSchema, {
      description: 'Events that it scheduled, and events that followed from those, in order.'
    }),
    timeline: Type.Array(TimelineEntrySchema, { description: 'State changes that it caused, however much later.' }),
    omitted: Type.Integer({
      description: 'Number of further changes and events: a record keeps 200 changes, and the newest 200 fired events.'
    })
  },
  { description: 'The record of a request.' }
)

const times = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))

const where = Type.Optional(
  strict(
    {
      workgroup_id: Type.Optional(text('Id in the path.')),
      workspace_id: Type.Optional(text('Id in the path.')),
      status: Type.Optional(Type.Integer({ description: 'HTTP status of the reply.' })),
      query: Type.Optional(open('Parameters that the query must have; it may have more.')),
      body: Type.Optional(
        Type.Unknown({ description: 'Expected body; objects in it may have more fields. Secrets are not compared.' })
      )
    },
    { description: 'Conditions of the call.' }
  )
)

export type RequestRecord = Shape<typeof RequestRecordSchema>

export const ExpectationSchema = strict(
  {
    operation: Type.Optional(text('operationId of the expected call.')),
    where,
    times: Type.Optional(
      strict(
        {
          exactly: times('Exactly this number of times.'),
          atLeast: times('This number of times or more.'),
          atMost: times('This number of times or fewer.')
        },
        { description: 'How often; at least once if absent.' }
      )
    ),
    sequence: Type.Optional(
      Type.Array(strict({ operation: text('operationId.'), where }), {
        minItems: 1,
        maxItems: 1000,
        description: 'Instead of the above: calls expected in this order; others may come between them.'
      })
    )
  },
  { description: 'Either an operation or a sequence.' }
)

export const VerifiedSchema = strict({
  matches: Type.Array(Type.String(), { description: 'RequestIDs of the matching calls, in order.' }),
  count: Type.Integer({ description: 'Number of matching calls.' })
})
