import { Type } from '@sinclair/typebox'
import { ERROR_TYPES } from '../interface/errors.js'
import { OPERATION_IDS } from '../interface/operation-ids.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { duration, id, strict } from '../lib/strict.js'

const count = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description })

const EffectSchema = strict(
  {
    status: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 599,
        description: 'HTTP status of an error: 400 to 599, or 200 for an error that only the body shows.'
      })
    ),
    error_type: Type.Optional(enumeration(ERROR_TYPES, 'Type of the error; that of the status if absent.')),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Reason and Message of the error; `Injected fault …` with the id if absent.'
      })
    ),
    retry_after: Type.Optional(count(0, 'Seconds, for the header Retry-After of the error.')),
    delay: Type.Optional(
      Type.Union(
        [duration('Always the same.'), strict({ min: duration('The shortest.'), max: duration('The longest.') })],
        {
          description:
            "How long the request waits by the machine's clock, at most PT10M; with min and max, somewhere " +
            'between them, repeatable with --seed.'
        }
      )
    ),
    reply: Type.Optional(
      enumeration(
        ['drop', 'empty', 'cut', 'silent'],
        'drop: none, the connection is closed; empty: a 200 without a body; cut: half of the body, then the ' +
          'connection is closed; silent: none, until the client closes the connection.'
      )
    ),
    stale: Type.Optional(
      strict(
        {
          by: Type.Optional(duration("How long ago, by the sandbox's clock.")),
          writes: Type.Optional(count(1, 'How many writes ago.'))
        },
        { description: 'A read is answered as it would have been then; exactly one of by and writes.' }
      )
    )
  },
  {
    description:
      'What happens; at least one of status, delay, reply and stale, and only one of status, reply and stale.'
  }
)
/** A fault's effect. A delay can be combined with a status or a reply, or stand alone. */
export type FaultEffect = Shape<typeof EffectSchema>

const rule = {
  operation: Type.Optional(enumeration(OPERATION_IDS, 'The operation that it matches; any if absent.')),
  workspace_id: Type.Optional(id('The workspace in the path that it matches; any path if absent.')),
  workgroup_id: Type.Optional(id('The workgroup in the path that it matches; any path if absent.')),
  body: Type.Optional(
    Type.Unknown({
      description: 'What the body must have; objects in it may have more fields. Any body, or none, if absent.'
    })
  ),
  after: Type.Optional(
    count(0, 'How many matching requests pass first; 0 if absent: with times 1, after 1 means the second.')
  ),
  times: Type.Optional(count(1, 'How often it fires; always if absent.')),
  probability: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'Chance of firing, repeatable with --seed; 1 if absent.'
    })
  ),
  phase: Type.Optional(
    enumeration(
      ['before', 'after-commit'],
      'before: the operation is not carried out; after-commit: it is, and only the reply changes. before if ' +
        'absent, but after-commit with reply cut.'
    )
  ),
  effect: EffectSchema
}

/** Maximum number of fault rules per sandbox, because every request may try all of them. */
export const MOST_FAULT_RULES = 1000

export const FaultRuleSchema = strict(rule, { description: 'A fault that is injected into requests from now on.' })

const counted = {
  id: Type.String({ pattern: '^fault-[1-9][0-9]{0,14}$', description: 'Its name in the sandbox.' }),
  ...rule,
  seen: count(0, 'Matching requests so far.'),
  hits: count(0, 'Times fired so far.')
}

/** A rule with its counters. */
export const FaultSchema = strict(counted)
export type Fault = Shape<typeof FaultSchema>

/** A rule in a state document, where ids and counters are optional. */
export const FaultStateSchema = strict({
  ...counted,
  id: Type.Optional(counted.id),
  seen: Type.Optional(counted.seen),
  hits: Type.Optional(counted.hits)
})
export type FaultState = Shape<typeof FaultStateSchema>

export const FaultsRemovedSchema = strict({ removed: Type.Integer({ description: 'Number of removed faults.' }) })
