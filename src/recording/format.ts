import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Shape } from '../db/row-watcher.js'
import type { ErrorDetail } from '../interface/errors.js'
import type { Replacement } from '../journal/recorder.js'
import type { Options } from '../options.js'
import { CLOCK_MODES, type ClockState } from '../sim/clock.js'
import type { RandomState } from '../sim/random.js'

/** The format of a recording. A change that older readers cannot read gets the next number. */
export const RECORDING_FORMAT = 1

/** The extension of recording files. */
export const RECORDING_ENDING = '.svcmock'

/** Maximum length of a line, in characters. */
export const MAX_LINE = 64 * 1024 * 1024

const time = Type.Integer()
const number = Type.Integer({ minimum: 0 })
const words = <T extends string>(...names: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(names.map((name) => Type.Literal(name))))

const shape = Type.Object({
  table: Type.String(),
  kind: words('insert', 'update', 'delete'),
  columns: Type.Array(Type.String())
})

type OptionsInView = Partial<Pick<Options, 'basePath' | 'workspaceHostTemplate'>>

/** The first line, whose format must be checked before the others are read. */
export const ManifestSchema = Type.Object({
  svcmock: Type.Literal(RECORDING_FORMAT),
  // Version of the server.
  version: Type.String(),
  profile: Type.String(),
  // Name of its key, or the beginning of its id.
  sandbox: Type.String(),
  // Timestamp by the machine's clock.
  begun: Type.String(),
  // Options that differ from the defaults, without secrets.
  options: Type.Unsafe<Readonly<Record<string, unknown>> & OptionsInView>(
    Type.Object({ basePath: Type.Optional(Type.String()), workspaceHostTemplate: Type.Optional(Type.String()) })
  ),
  // The meaning of the codes of row changes.
  shapes: Type.Unsafe<readonly Shape[]>(Type.Array(shape, { maxItems: 1000 }))
})
export type Manifest = Readonly<Static<typeof ManifestSchema>>

/** A row change: its code; the old values, the new ones, or both; and the rowid. */
export type WrittenChange = readonly [code: number, values: readonly unknown[]]

const change = Type.Tuple([number, Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]))])
const changes = Type.Unsafe<readonly WrittenChange[]>(Type.Array(change))

const clock = Type.Unsafe<ClockState>(
  Type.Object({ mode: words(...CLOCK_MODES), base: time, anchor: time, rate: Type.Number() })
)

/** A whole sandbox. Its rows are insertions. */
const whole = {
  org: Type.Object({ id: Type.String(), name: Type.String() }),
  random: Type.Unsafe<RandomState>(Type.Object({ seed: Type.String({ pattern: '^[0-9a-f]{24}$' }), draws: number })),
  clock,
  rows: Type.Unsafe<Iterable<WrittenChange>>(Type.Array(change))
}

/** The number of a step, from 1, the RequestID that caused it, and the sandbox's time in milliseconds since 1970. */
const numbered = { step: number, id: Type.String(), at: time }
/** The state of the sandbox that is in no table, if the step changed it. */
const standing = { draws: Type.Optional(number), clock: Type.Optional(clock) }

const replacement = Type.Object({ kind: Type.Unsafe<Replacement>(Type.String()), ...numbered, ...whole })

const LINES = {
  // The state document at the beginning.
  state: Type.Object({ kind: Type.Literal('state'), state: Type.Object({}) }),
  // The whole sandbox after a step; 0: the beginning.
  checkpoint: Type.Object({ kind: Type.Literal('checkpoint'), after: number, ...whole }),
  // Changes by a request, other than by events.
  change: Type.Object({ kind: Type.Literal('change'), ...numbered, ...standing, changes }),
  // An event that fired.
  event: Type.Object({
    kind: Type.Literal('event'),
    ...numbered,
    ...standing,
    event: Type.Object({ kind: Type.String(), resource: Type.String() }),
    changes
  }),
  // Something was not recorded; a checkpoint follows.
  gap: Type.Object({ kind: Type.Literal('gap'), step: number }),
  request: Type.Object({
    kind: Type.Literal('request'),
    ...numbered,
    // By the machine's clock.
    received: time,
    replied: time,
    trace: Type.Optional(Type.String()),
    operation: Type.Union([Type.String(), Type.Null()]),
    // For the control API.
    control: Type.Optional(Type.Literal(true)),
    stub: Type.Optional(Type.String()),
    method: Type.String(),
    path: Type.String(),
    params: Type.Optional(Type.Record(Type.String(), Type.String())),
    query: Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({})),
    body: Type.Optional(Type.Unknown()),
    body_omitted: Type.Optional(Type.Literal(true)),
    // null: a fault dropped the reply.
    status: Type.Union([number, Type.Null()]),
    // Absent if there was none, or it was not kept.
    reply: Type.Optional(Type.Unknown()),
    error: Type.Optional(
      Type.Object({
        condition: Type.Optional(Type.String()),
        message: Type.String(),
        details: Type.Unsafe<readonly ErrorDetail[]>(
          Type.Array(Type.Object({ FieldName: Type.String(), Reason: Type.String() }))
        )
      })
    ),
    retry_after: Type.Optional(Type.Number()),
    fault: Type.Optional(Type.Object({}))
  }),
  // The last line, if the recording ended properly.
  end: Type.Object({ kind: Type.Literal('end') }),
  // The sandbox was replaced as a whole.
  import: replacement,
  seed: replacement,
  reset: replacement,
  restore: replacement
} as const satisfies Record<Replacement, TSchema> & Record<string, TSchema>

/** Schemas of the lines after the first one, by kind. */
export const LINE_SCHEMAS: ReadonlyMap<string, TSchema> = new Map<string, TSchema>(Object.entries(LINES))

type Lines = { readonly [Kind in keyof typeof LINES]: Readonly<Static<(typeof LINES)[Kind]>> }

/** A line after the first one. */
export type Line = Lines[keyof Lines]
export type CheckpointLine = Lines['checkpoint']
export type RequestStep = Lines['request']

export type RecordedStep = Extract<Line, { readonly step: number }>
