import { Type } from '@sinclair/typebox'
import { enumeration } from '../interface/schemas.js'
import { duration, id, strict, timestamp } from '../lib/strict.js'
import { DURATION_FORMS } from '../lib/time.js'
import { CLOCK_MODES } from './clock.js'

const mode = enumeration(CLOCK_MODES, 'How the clock runs.')
const rateDescription = 'Seconds of the sandbox per second of the machine; applies in mode real.'

export const ClockSettingSchema = strict(
  {
    mode: Type.Optional(mode),
    now: Type.Optional(timestamp('Time that it shows from now on; the present time if absent.')),
    rate: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: rateDescription })),
    patience: Type.Optional(
      duration(
        'How long a clock in mode frozen stands still while there are no participants, or one is awake. Then it is ' +
          'real until all sleep. Absent, or after a restart: forever.'
      )
    )
  },
  { description: 'New settings of the clock; omitted fields, except for patience, keep their values.' }
)

export const AdvanceSchema = strict(
  {
    by: Type.Optional(duration('How far.')),
    to: Type.Optional(timestamp('Time to move to, not in the past.')),
    // Its forms are checked by hand, for clearer messages.
    until: Type.Optional(
      Type.Unsafe<'idle' | { workspace_id: string; status: string }>({
        description:
          '`"idle"`: until no transition is under way; or `{"workspace_id": "…", "status": "…"}`: until a workspace ' +
          'has this status, `gone` if it is deleted.'
      })
    ),
    max: Type.Optional(duration('How far an until may go; a day if absent.'))
  },
  { description: 'How far: exactly one of by, to and until.' }
)

export const SleepSchema = strict(
  {
    participant: id('Names who sleeps, such as a process or a thread.'),
    until: Type.Optional(
      Type.String({
        description:
          `When to wake up: a timestamp, or a duration ${DURATION_FORMS}. If absent, only another call of the ` +
          'participant wakes it.'
      })
    )
  },
  { description: 'How a participant sleeps.' }
)

export const ClockSchema = strict(
  {
    mode,
    now: timestamp('Time that it shows.'),
    rate: Type.Number({ description: rateDescription }),
    behind_ms: Type.Optional(
      Type.Integer({
        description:
          'Milliseconds by which the clock has fallen behind, because more was due than could be run; absent ' +
          'if it has not.'
      })
    )
  },
  { description: "A sandbox's clock." }
)

export const FiredSchema = strict(
  {
    at: timestamp('When it was due, which is when it happened.'),
    event: Type.String({ description: 'Name of a transition, or of an action of a schedule or an auto-stop.' }),
    resource_id: Type.String({ description: 'Id of the workspace.' }),
    request_id: Type.String({ description: 'RequestID of the request that caused it.' })
  },
  { description: 'A fired event.' }
)

export const MovedSchema = strict(
  {
    clock: ClockSchema,
    fired: Type.Array(FiredSchema, { description: 'Events that fired on the way, in order; the first 10,000.' }),
    omitted: Type.Optional(Type.Integer({ description: 'Number of further events; absent if none.' }))
  },
  { description: 'The clock after a move.' }
)
