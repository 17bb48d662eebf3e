import { type TSchema, Type } from '@sinclair/typebox'
import { enumeration, requestText, type Shape } from '../interface/schemas.js'
import { closed, nullable } from '../lib/closed.js'
import type { Region, Version, WorkspaceType } from './catalogue.js'
import { SPEEDS, TRANSITION_NAMES } from './durations.js'
import { type EdgeDocument, edgeParts } from './edge.js'
import { FieldsSchema } from './fields.js'
import { NamesSchema } from './names.js'
import { OmitSchema, ShownSchema } from './omit.js'
import { type Quota, type QuotaRule, QUOTAS, type Scope, SCOPES } from './quotas.js'
import { RequestsSchema } from './requests.js'
import { StatesSchema } from './states.js'

/** The form of profiles that this server reads. */
export const FORM = 1

/** Maximum number of entries of a list. */
const MOST = 1000

const text = (description: string) => Type.String({ ...requestText, description })
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const list = <T extends TSchema>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: MOST, description }))
const replicas = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description }))

/** An amount, which replies show as a text. */
const amount = (description: string) =>
  Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }), Type.String(requestText)], { description })

const CatalogueSchema = closed(
  {
    platforms: list(text('Name.'), 'Cloud platforms.'),
    regions: list(
      closed({ name: text('Name.'), description: Type.Optional(text('Its name in words; the name if absent.')) }),
      'Regions.'
    ),
    versions: list(
      closed({
        name: text('Name.'),
        image: Type.Optional(text('Container image; `svc/database:` and the name if absent.')),
        create: flag('Whether new workspaces can have it; true if absent.')
      }),
      'Versions of the database software.'
    ),
    workspace_types: list(
      closed({
        typeName: text('Name.'),
        cpu: amount('Cores.'),
        memory: amount('GiB, or a text that replies show as it is, such as `16Gi`.'),
        partition: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Partitions; 1 if absent.' })),
        replicas: replicas('Replicas without high availability; 1 if absent.'),
        ha: replicas('Replicas with high availability; 2, or `replicas` if that is more, if absent.'),
        create: flag('Whether new workspaces can have it; true if absent.'),
        resize: flag('Whether workspaces of other types can be resized to it; true if absent.')
      }),
      'Workspace types.'
    ),
    defaults: Type.Optional(
      closed(
        {
          platform: Type.Optional(text('A platform.')),
          region: Type.Optional(text('A region.')),
          version: Type.Optional(text('A version that new workspaces can have.')),
          workspace_type: Type.Optional(text('A workspace type that new workspaces can have.'))
        },
        {
          description:
            'What is chosen where a request says nothing. If absent: the first of a list that the profile gives that ' +
            'new workspaces can have; otherwise as built in.'
        }
      )
    )
  },
  { description: 'What can be created. A list replaces the built-in one as a whole.' }
)

/** The same schema for each of some fields. */
const forEach = <Name extends string, T extends TSchema>(names: readonly Name[], schemaOf: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<Name, T>

const length = (description: string) => Type.String({ maxLength: 256, description })
const bounds = {
  min: Type.Optional(length('At least.')),
  max: Type.Optional(length('At most.'))
}

const DurationSchema = Type.Union([
  length('Always the same.'),
  closed({
    ...bounds,
    ...forEach(SPEEDS, (speed) =>
      Type.Optional(
        Type.Union([length('Always the same.'), closed(bounds)], { description: `With --transitions ${speed}.` })
      )
    )
  })
])

const maximum = nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 'null: no limit.')

const QuotasSchema = closed(
  {
    ...forEach(QUOTAS, (name) =>
      Type.Optional(
        closed({
          default: Type.Optional(nullable(maximum.anyOf[0], 'Maximum in a new sandbox; null, no limit, if absent.')),
          per: Type.Optional(enumeration<Scope>(SCOPES[name], 'Where it counts.')),
          failed: flag('Whether what has failed counts; false if absent.')
        })
      )
    ),
    plans: Type.Optional(
      Type.Record(Type.String({ pattern: '^.{1,256}$' }), closed(forEach(QUOTAS, () => Type.Optional(maximum))), {
        description: 'Maximum numbers that a test sets together, by the name of the plan; others have their defaults.'
      })
    )
  },
  { description: 'How many of something there may be.' }
)

export const ProfileSchema = closed(
  {
    profile: Type.Literal(FORM, { description: 'Version of the form.' }),
    name: Type.Optional(text('Name of the profile; that of its file if absent.')),
    catalogue: Type.Optional(CatalogueSchema),
    durations: Type.Optional(
      closed(
        forEach(TRANSITION_NAMES, () => Type.Optional(DurationSchema)),
        { description: 'How long transitions take: a duration, `min` and `max`, or either for each of --transitions.' }
      )
    ),
    quotas: Type.Optional(QuotasSchema),
    states: Type.Optional(StatesSchema),
    fields: Type.Optional(FieldsSchema),
    names: Type.Optional(NamesSchema),
    omit: Type.Optional(OmitSchema),
    shown: Type.Optional(ShownSchema),
    requests: Type.Optional(RequestsSchema),
    ...edgeParts
  },
  { description: 'What is assumed about the service. It states what differs from what is built in.' }
)
/** A profile as a document. */
export type ProfileDocument = Shape<typeof ProfileSchema>
export type CatalogueDocument = NonNullable<ProfileDocument['catalogue']>

/** A profile with nothing left out but parts that are off. */
export interface ProfileInForce
  extends
    EdgeDocument,
    Pick<ProfileDocument, 'fields' | 'requests'>,
    Required<Omit<ProfileDocument, 'fields' | 'requests' | keyof EdgeDocument>> {
  readonly catalogue: {
    readonly platforms: readonly string[]
    readonly regions: readonly Region[]
    readonly versions: readonly Version[]
    readonly workspace_types: readonly WorkspaceType[]
    readonly defaults: Required<NonNullable<CatalogueDocument['defaults']>>
  }
  readonly durations: Required<NonNullable<ProfileDocument['durations']>>
  readonly quotas: Readonly<Record<Quota, QuotaRule>> & Required<Pick<NonNullable<ProfileDocument['quotas']>, 'plans'>>
}
