import type { Assumption, FactKey, Section } from '../interface/assumption.js'
import type { AssumptionId } from '../interface/assumption-id.js'
import { ERRORS } from '../interface/errors.js'
import { ERROR_ASSUMPTIONS, HTTP_ASSUMPTIONS } from '../interface/http-assumptions.js'
import { INTERFACE_ASSUMPTIONS, OPERATION_ASSUMPTIONS } from '../interface/operation-assumptions.js'
import type { Profile } from '../profile/profile.js'
import { TIME_ASSUMPTIONS } from '../sim/assumptions.js'
import { ALLOW_LIST_ASSUMPTIONS } from './allow-list/assumptions.js'
import { FIELD_ASSUMPTIONS } from './assumptions.js'
import { BACKUP_ASSUMPTIONS } from './backups/assumptions.js'
import { LIMIT_ASSUMPTIONS } from './limit-assumptions.js'
import { USER_ASSUMPTIONS } from './org-users/assumptions.js'
import { SCHEDULE_ASSUMPTIONS } from './schedules/assumptions.js'
import { NAMED_SCHEMAS } from './vocabulary.js'
import { WORKSPACE_ASSUMPTIONS } from './workspaces/assumptions.js'

// Loaded only on demand: serving requests does not need it.

/** The sections of docs/assumptions.md, in order, and then the assumptions in docs/interface.md. */
export const SECTIONS: readonly Section[] = [
  FIELD_ASSUMPTIONS,
  ERROR_ASSUMPTIONS,
  ...HTTP_ASSUMPTIONS,
  ALLOW_LIST_ASSUMPTIONS,
  ...LIMIT_ASSUMPTIONS,
  ...WORKSPACE_ASSUMPTIONS,
  BACKUP_ASSUMPTIONS,
  ...SCHEDULE_ASSUMPTIONS,
  USER_ASSUMPTIONS,
  ...TIME_ASSUMPTIONS,
  INTERFACE_ASSUMPTIONS
]

/** One assumption for each published schema that the documented interface does not contain. */
const SCHEMA_ASSUMPTIONS: readonly Assumption[] = NAMED_SCHEMAS.flatMap(({ $id: schema, 'x-assumption': id }) =>
  id === undefined
    ? []
    : [
        {
          id: id as AssumptionId,
          topic: FIELD_ASSUMPTIONS.topic,
          says: `\`${schema}\` has [these fields](${placeOf(schema)}), with their types and defaults.`,
          change: FIELD_ASSUMPTIONS.change,
          about: (['field', 'type', 'word', 'value'] as const).map((aspect): FactKey => ({ aspect, schema }))
        }
      ]
)

/** Everything that svc-mock assumes about the service. */
export const ASSUMPTIONS: readonly Assumption[] = [
  ...SECTIONS.flatMap((section) => [
    ...section.tabled,
    ...section.listed,
    ...(section === FIELD_ASSUMPTIONS ? SCHEMA_ASSUMPTIONS : [])
  ]),
  ...OPERATION_ASSUMPTIONS.map(({ operations: _, cell: __, ...assumption }) => assumption)
]

/** All assumptions under a profile, which may refuse with other statuses. */
export function assumptionsUnder({ name, edge: { refusals } }: Pick<Profile, 'name' | 'edge'>): readonly Assumption[] {
  if (refusals === undefined) return ASSUMPTIONS
  return ASSUMPTIONS.map((assumption) => {
    const statuses = (assumption.about ?? []).flatMap(({ aspect, condition, operation }) => {
      if (aspect !== 'status' || condition === undefined) return []
      const builtIn = ERRORS[condition].status
      const { status = builtIn } = refusals(condition, operation) ?? {}
      return status === builtIn ? [] : status
    })
    if (statuses.length === 0) return assumption
    const answers = `The profile ${name} answers with ${[...new Set(statuses)].join(' or ')} instead.`
    return { ...assumption, says: `${assumption.says} ${answers}` }
  })
}

/** Where a schema's fields are listed. */
function placeOf(schema: string): string {
  return `generated/interface-fields.md#${schema.toLowerCase().replaceAll('.', '')}`
}
