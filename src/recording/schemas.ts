import { type TSchema, Type } from '@sinclair/typebox'
import { CLOCK_MODES } from '../sim/clock.js'
import { RECORDING_FORMAT } from './format.js'

const time = Type.Integer()
const number = Type.Integer({ minimum: 0 })
const words = (names: readonly string[]) => Type.Union(names.map((name) => Type.Literal(name)))

const clock = Type.Object({ mode: words(CLOCK_MODES), base: time, anchor: time, rate: Type.Number() })

const change = Type.Tuple([number, Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]))])

const shape = Type.Object({
  table: Type.String(),
  kind: words(['insert', 'update', 'delete']),
  columns: Type.Array(Type.String())
})

/** The first line. Others must not be read before its format is known. */
export const ManifestSchema = Type.Object({
  svcmock: Type.Literal(RECORDING_FORMAT),
  version: Type.String(),
  profile: Type.String(),
  sandbox: Type.String(),
  begun: Type.String(),
  options: Type.Object({}),
  shapes: Type.Array(shape, { maxItems: 1000 })
})

const whole = {
  org: Type.Object({ id: Type.String(), name: Type.String() }),
  random: Type.Object({ seed: Type.String({ pattern: '^[0-9a-f]{24}$' }), draws: number }),
  clock,
  rows: Type.Array(change)
}

const numbered = { step: number, id: Type.String(), at: time }
const standing = { draws: Type.Optional(number), clock: Type.Optional(clock) }
const replacement = Type.Object({ ...numbered, ...whole })

/** The other lines, by their kind. */
export const LINE_SCHEMAS: ReadonlyMap<string, TSchema> = new Map<string, TSchema>([
  ['state', Type.Object({ state: Type.Object({}) })],
  ['checkpoint', Type.Object({ after: number, ...whole })],
  ['change', Type.Object({ ...numbered, ...standing, changes: Type.Array(change) })],
  [
    'event',
    Type.Object({
      ...numbered,
      ...standing,
      event: Type.Object({ kind: Type.String(), resource: Type.String() }),
      changes: Type.Array(change)
    })
  ],
  ['import', replacement],
  ['seed', replacement],
  ['reset', replacement],
  ['restore', replacement],
  ['gap', Type.Object({ step: number })],
  [
    'request',
    Type.Object({
      ...numbered,
      received: time,
      replied: time,
      trace: Type.Optional(Type.String()),
      operation: Type.Union([Type.String(), Type.Null()]),
      method: Type.String(),
      path: Type.String(),
      params: Type.Optional(Type.Record(Type.String(), Type.String())),
      query: Type.Object({}),
      status: Type.Union([number, Type.Null()]),
      error: Type.Optional(
        Type.Object({
          condition: Type.Optional(Type.String()),
          message: Type.String(),
          details: Type.Array(Type.Object({ FieldName: Type.String(), Reason: Type.String() }))
        })
      )
    })
  ],
  ['end', Type.Object({})]
])
