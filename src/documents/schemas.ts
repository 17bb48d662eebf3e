import { type Static, Type } from '@sinclair/typebox'
import { enumeration } from '../interface/schemas.js'
import { objectOf } from '../lib/json.js'
import { nullable, strict } from '../lib/strict.js'
import { anyText, flag, id, MOST_RESOURCES, resources, text } from '../resources/document.js'
import { orgUserInDocument } from '../resources/org-users/fields.js'
import { partSchemas, WORKGROUP_PARTS, WORKSPACE_PARTS } from '../resources/parts.js'
import { stubItemInDocument } from '../resources/stub-items/fields.js'
import { workgroupInDocument } from '../resources/workgroups/fields.js'
import { workspaceInDocument } from '../resources/workspaces/fields.js'
import { FaultStateSchema, MOST_FAULT_RULES } from '../sandboxes/fault-schemas.js'
import { CLOCK_MODES } from '../sim/clock.js'
import { MOST_TRANSITION_RULES, QuotasSchema, TimelineEntrySchema, TransitionRuleSchema } from '../sim/schemas.js'

/** The format of state documents that this server writes. */
export const FORMAT = 1

const requestId = anyText('RequestID behind it; that of the import if absent.')

const WorkspaceStateSchema = strict({
  ...workspaceInDocument.schema.properties,
  ...partSchemas(WORKSPACE_PARTS)
})

const { entries, ...besidesEntries } = partSchemas(WORKGROUP_PARTS)

const WorkgroupStateSchema = strict({
  ...workgroupInDocument.schema.properties,
  allow_list: Type.Optional(strict({ enabled: flag('false if absent.'), entries })),
  ...besidesEntries,
  workspaces: resources(WorkspaceStateSchema)
})

const EventStateSchema = strict(
  {
    event: Type.String({ description: 'Name of a transition, or of an action of a schedule or an auto-stop.' }),
    workspace_id: Type.String({ description: 'Id of a workspace in this document.' }),
    due: nullable(Type.String({ format: 'timestamp' }), 'When; null while it is held.'),
    payload: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description:
          'Depends on the event. Any transition: `failed` and `reason`, if it will fail. `workspace.resume`: ' +
          '`thenType`, the size that a schedule brings it to afterwards. `workspace.resize`: `typeName` and ' +
          '`enableHa`, the new size. `restore.run` and `restore.step`: `job`, id of the restore job; required. ' +
          '`backup.run`: `backup`, id of the backup, required; `retries`, retries left if it fails. `backup.retry`: ' +
          '`retries`, retries left after this one; required. `workspace.schedule`: `schedule`, its id; required.'
      })
    ),
    request_id: requestId
  },
  { description: 'A scheduled event.' }
)

const { trace: _, ...ofTimeline } = TimelineEntrySchema.properties
const TimelineStateSchema = strict({
  ...ofTimeline,
  at: Type.String({ format: 'timestamp', description: 'When; not before the entry before it.' }),
  request_id: requestId
})

export const StateSchema = strict(
  {
    format: Type.Optional(Type.Literal(FORMAT, { description: 'Format of the document; the newest if absent.' })),
    profile: text(
      'Name of the profile that it was made under; the built-in one if absent. Values must fit that in force.'
    ),
    org: Type.Optional(strict({ id, name: anyText('Empty if absent.') })),
    random: Type.Optional(
      strict(
        {
          seed: Type.String({ pattern: '^[0-9a-f]{24}$', description: '24 hexadecimal digits.' }),
          draws: Type.Integer({ minimum: 0, maximum: 2 ** 48, description: 'Number of ids drawn so far.' })
        },
        { description: 'Position in the stream of ids; its start if absent.' }
      )
    ),
    clock: Type.Optional(
      strict({
        mode: Type.Optional(enumeration(CLOCK_MODES, 'real if absent.')),
        now: Type.Optional(
          Type.String({
            format: 'timestamp',
            description: 'Time it shows; if absent, the time of the machine, or of a newer change in the timeline.'
          })
        ),
        wall: Type.Optional(
          Type.String({
            format: 'timestamp',
            description:
              'Only in mode real: time of the machine when this clock shows `now`; the present time if absent.'
          })
        ),
        rate: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: '1 if absent.' }))
      })
    ),
    quotas: Type.Optional(
      strict(QuotasSchema.properties, { description: 'Those of the profile if absent; without one, no limits.' })
    ),
    transitions: Type.Optional(
      Type.Array(TransitionRuleSchema, { maxItems: MOST_TRANSITION_RULES, description: 'The rules, in order.' })
    ),
    faults: Type.Optional(
      Type.Array(FaultStateSchema, {
        maxItems: MOST_FAULT_RULES,
        description: 'The faults injected into requests, in order.'
      })
    ),
    org_users: resources(orgUserInDocument.schema, 'One org admin and two members if absent.'),
    stub_items: resources(stubItemInDocument.schema, 'What the stubs of the profile have stored.'),
    workgroups: resources(WorkgroupStateSchema, 'In the order in which lists show them, as all lists here.'),
    events: Type.Optional(
      Type.Array(EventStateSchema, {
        maxItems: 4 * MOST_RESOURCES,
        description:
          'The scheduled events. If absent, those that follow from the states and schedules of the ' +
          'workspaces, as if each had been set now.'
      })
    ),
    timeline: Type.Optional(
      Type.Array(TimelineStateSchema, { maxItems: MOST_RESOURCES, description: 'What has happened, in order.' })
    )
  },
  { description: 'A whole sandbox, without its journal and snapshots. Nearly everything is optional.' }
)

/** A sandbox as one document. */
export type StateDocument = Static<typeof StateSchema>
/** A checked document, with password hashes instead of passwords. */
export type PreparedState = StateDocument
export type WorkgroupState = NonNullable<StateDocument['workgroups']>[number]
export type WorkspaceState = NonNullable<WorkgroupState['workspaces']>[number]
export type EventState = NonNullable<StateDocument['events']>[number]

/** A workgroup with all its parts side by side. */
export const withEntries = (workgroup: { readonly allow_list?: unknown }) => ({
  ...workgroup,
  entries: objectOf(workgroup.allow_list)['entries']
})
