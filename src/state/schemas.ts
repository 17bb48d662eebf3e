import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { FaultStateSchema, MOST_FAULT_RULES } from '../sandboxes/fault-schemas.js'
import { closed, nullable } from '../lib/closed.js'
import { MOST_RULES, QuotasSchema, TransitionRuleSchema } from '../sim/schemas.js'
import { enumeration, requestText } from '../lib/schemas.js'
import { BACKUP_STATES, RESTORE_STATES } from '../resources/backups/lifecycle.js'
import {
  CALLER, DEFAULT_PLATFORM, DEFAULT_REGION, DEFAULT_TYPE, DEFAULT_VERSION, PLATFORMS, REGIONS, SVC_VERSIONS, WORKSPACE_TYPES
} from '../resources/metadata/catalogue.js'
import { MOST_ROLES, ORG_ROLES } from '../resources/org-users/schemas.js'
import { REPEATS } from '../resources/schedules/store.js'
import { REFRESH_STATES, WORKSPACE_STATES } from '../resources/workspaces/lifecycle.js'
import { AgentConfigSchema, MOST_ADDONS, WorkspaceAddonsRequestSchema } from '../resources/workspaces/schemas.js'
import { CLOCK_MODES } from '../sim/clock.js'

/** The format of state documents that this server writes. */
export const FORMAT = 1

/** More than a sandbox is made for; `--max-resources` and `--timeline-entries` say how many there may be. */
const MOST_RESOURCES = 10_000_000

/** One of a list that may change from version to version, so its type does not name them. */
const among = (values: readonly string[], description: string) => enumeration<string>(values, description)
const byDefault = (text: string, value: string) => `${text}; ${value} if absent.`
const id = Type.Optional(Type.String({
  format: 'readable-id', description: 'Any readable name, which then stands in URLs; a new UUID if absent.'
}))
const text = (description: string) => Type.Optional(Type.String({ ...requestText, description }))
const anyText = (description: string) => Type.Optional(Type.String({ description }))
const when = (description: string, absent = 'the time of the clock') => Type.Optional(Type.String({ format: 'timestamp', description: `${description}; ${absent} if absent.` }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const count = (description: string, minimum = 0) => Type.Optional(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description }))
const requestId = anyText('RequestID behind it; that of the import if absent.')
/** A list of resources. How many there may be in all, an option says; this is more than any sandbox could work with. */
const resources = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Array(schema, { maxItems: MOST_RESOURCES, ...(description === undefined ? {} : { description }) }))
const TYPE_NAMES = WORKSPACE_TYPES.map((type) => type.typeName)
const typeName = Type.Optional(among(TYPE_NAMES, byDefault('Size', DEFAULT_TYPE)))
const VERSIONS = SVC_VERSIONS.map(({ name }) => name)
const svcVersion = Type.Optional(among(VERSIONS, byDefault('Version of the database software', DEFAULT_VERSION)))

const BackupStateSchema = closed({
  id,
  tag: Type.Optional(Type.String({ maxLength: 256, description: '`automatic-` or `manual-` and the time if absent; may be empty.' })),
  time: when('Its beginning'),
  is_automatic: flag('false if absent.'),
  status: Type.Optional(among(Object.keys(BACKUP_STATES), 'State; Succeeded if absent.')),
  size_bytes: count('0 if absent.'),
  version: Type.Optional(among(VERSIONS, 'Version of the database software; that of the workspace if absent.'))
})

const RestoreJobStateSchema = closed({
  id,
  status: Type.Optional(among(Object.keys(RESTORE_STATES), 'State; Succeeded if absent.')),
  output: anyText('One line per step; empty if absent.'),
  created_at: when('Its beginning')
})

const BackupScheduleStateSchema = closed({
  schedule: Type.String({ ...requestText, description: 'Five-field cron, UTC.' }),
  pause: flag('false if absent.'),
  max_backup_files: count('7 if absent.', 1),
  max_reserved_days: count('7 if absent.', 1),
  max_retry: count('0 if absent.')
})

const WorkspaceScheduleStateSchema = closed({
  id: text('A new UUID if absent.'),
  repeat: enumeration(REPEATS, 'How it repeats.'),
  repeat_on: Type.Optional(Type.String({ format: 'weekdays', description: 'Weekdays of a weekly one; the current weekday if absent.' })),
  date: Type.Optional(Type.String({ format: 'calendar-date', description: 'Date of one that does not repeat; required there.' })),
  time: Type.String({ format: 'clock-time', description: 'HH:mm, local.' }),
  timezone: Type.String({ format: 'time-zone', description: 'IANA zone.' }),
  workspace_type_name: Type.Optional(among(TYPE_NAMES, 'New size of the workspace; it is stopped if absent.'))
})

const DatabaseUserStateSchema = closed({
  id,
  username: Type.String({ ...requestText, description: 'Name of the user.' }),
  password: text('Password in clear; only its hash is kept.'),
  password_hash: text('Salted hash of the password, as an export has it.'),
  created: when('Creation'),
  updated: when('Last change', '`created`')
}, { description: 'An in-database user; exactly one of password and password_hash.' })

const WorkspaceStateSchema = closed({
  id,
  name: text('Its id if that is given, otherwise `workspace-` and the first 8 characters of it.'),
  database: text('Id of its database; a new one is created if absent.'),
  creator: text(byDefault('E-mail address of the user who created it', CALLER)),
  status: Type.Optional(among(Object.keys(WORKSPACE_STATES), 'State; Active if absent.')),
  refresh_status: Type.Optional(among(Object.keys(REFRESH_STATES), 'None if absent.')),
  refresh_message: anyText('Why the last refresh failed; empty if absent.'),
  snapshot_time: when('Of a read-only one: time of its data', '`created_at`'),
  svc_version: svcVersion,
  version_number: count('1 if absent.', 1),
  workspace_type_name: typeName,
  is_rw: flag('Whether it can write; true if absent.'),
  enable_ha: flag('false if absent.'),
  enable_auto_start: flag('false if absent.'),
  auto_stop_minutes: count('0 if absent.'),
  addons: Type.Optional(Type.Array(closed(WorkspaceAddonsRequestSchema.properties), { maxItems: MOST_ADDONS })),
  agent_config: Type.Optional(closed(AgentConfigSchema.properties)),
  solution_catalog_id: text('Id of the solution in the catalogue; none if absent.'),
  last_active: when('When it became Active or last saw data-plane activity'),
  created_at: when('Creation'),
  last_modified_time: when('Last change', '`created_at`'),
  backups: resources(BackupStateSchema),
  restore_jobs: resources(RestoreJobStateSchema),
  backup_schedule: Type.Optional(BackupScheduleStateSchema),
  schedules: resources(WorkspaceScheduleStateSchema),
  users: resources(DatabaseUserStateSchema)
})

const WorkgroupStateSchema = closed({
  id,
  name: text('Its id if that is given, otherwise `workgroup-` and the first 8 characters of it.'),
  creator: text(byDefault('E-mail address of the user who created it', CALLER)),
  cloud_provider_id: text('Account at the cloud provider; my-account if absent.'),
  platform: Type.Optional(among(PLATFORMS, byDefault('Cloud platform', DEFAULT_PLATFORM))),
  region: Type.Optional(among(REGIONS.map(({ name }) => name), byDefault('Region', DEFAULT_REGION))),
  allow_list: Type.Optional(closed({
    enabled: flag('false if absent.'),
    entries: resources(closed({
      id,
      cidr: Type.String({ format: 'cidr', description: 'Address or block.' }),
      note: Type.Optional(Type.String({ maxLength: 256, description: 'A remark; empty if absent.' }))
    }))
  })),
  databases: resources(closed({
    id,
    name: text('Its id if that is given, otherwise `database-` and the first 8 characters of it.'),
    svc_version: svcVersion,
    create_time: when('Creation')
  })),
  workspaces: resources(WorkspaceStateSchema)
})

const OrgUserStateSchema = closed({
  id,
  username: text('The e-mail address if absent.'),
  email: Type.String({ ...requestText, description: 'E-mail address.' }),
  first_name: anyText('Empty if absent.'),
  last_name: anyText('Empty if absent.'),
  enabled: flag('true if absent.'),
  auth_id: text('Id at the identity provider; a new one if absent.'),
  last_login: Type.Optional(Type.String({ format: 'timestamp', description: 'Never if absent.' })),
  roles: Type.Array(among(Object.keys(ORG_ROLES), 'At least one.'), { minItems: 1, maxItems: MOST_ROLES, uniqueItems: true }),
  created: when('Creation'),
  updated: when('Last change', '`created`')
})

const EventStateSchema = closed({
  event: Type.String({ description: 'Name of a transition, or of an action of a schedule or an auto-stop.' }),
  workspace_id: Type.String({ description: 'Id of a workspace in this document.' }),
  due: nullable(Type.String({ format: 'timestamp' }), 'When; null while it is held.'),
  payload: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description: 'Details, which depend on the event.' })),
  request_id: requestId
}, { description: 'A scheduled event.' })

const TimelineStateSchema = closed({
  at: Type.String({ format: 'timestamp', description: 'When; not before the entry before it.' }),
  resource_id: Type.String({ description: 'Id of what changed.' }),
  transition: Type.String({ description: 'Name of the transition.' }),
  attribute: Type.String({ description: 'The field that changed.' }),
  from: nullable(Type.String(), 'Old value; null for a creation.'),
  to: Type.String({ description: 'New value.' }),
  reason: nullable(Type.String(), 'Why something failed or was skipped; otherwise null.'),
  request_id: requestId
})

export const StateSchema = closed({
  format: Type.Optional(Type.Literal(FORMAT, { description: 'Format of the document; the newest if absent.' })),
  org: Type.Optional(closed({ id, name: text('Mock Org if absent.') })),
  random: Type.Optional(closed({
    seed: Type.String({ pattern: '^[0-9a-f]{24}$', description: '24 hexadecimal digits.' }),
    draws: Type.Integer({ minimum: 0, maximum: 2 ** 48, description: 'Number of ids drawn so far.' })
  }, { description: 'Position in the stream of ids; its start if absent.' })),
  clock: Type.Optional(closed({
    mode: Type.Optional(enumeration(CLOCK_MODES, 'real if absent.')),
    now: Type.Optional(Type.String({ format: 'timestamp', description: 'Time it shows; the time of the machine if absent.' })),
    wall: Type.Optional(Type.String({ format: 'timestamp', description: 'Only in mode real: time of the machine when this clock shows `now`; the present time if absent.' })),
    rate: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: '1 if absent.' }))
  })),
  quotas: Type.Optional(closed(QuotasSchema.properties, { description: 'No limits if absent.' })),
  transitions: Type.Optional(Type.Array(TransitionRuleSchema, { maxItems: MOST_RULES, description: 'The rules, in order.' })),
  faults: Type.Optional(Type.Array(FaultStateSchema, { maxItems: MOST_FAULT_RULES, description: 'The faults injected into requests, in order.' })),
  org_users: resources(OrgUserStateSchema, 'One org admin and two members if absent.'),
  workgroups: resources(WorkgroupStateSchema, 'In the order in which lists show them, as all lists here.'),
  events: Type.Optional(Type.Array(EventStateSchema, {
    maxItems: 4 * MOST_RESOURCES,
    description: 'The scheduled events. If absent, those that follow from the states and schedules of the workspaces, as if each had been set now.'
  })),
  timeline: Type.Optional(Type.Array(TimelineStateSchema, { maxItems: MOST_RESOURCES, description: 'What has happened, in order.' }))
}, { description: 'A whole sandbox, without its journal and snapshots. Nearly everything is optional.' })

/** A sandbox as one document. */
export type StateDocument = Static<typeof StateSchema>
/** A document that was found to be right as a whole, with the hashes of passwords only. */
export type PreparedState = StateDocument
export type WorkgroupState = NonNullable<StateDocument['workgroups']>[number]
export type WorkspaceState = NonNullable<WorkgroupState['workspaces']>[number]
export type ScheduleState = NonNullable<WorkspaceState['schedules']>[number]
export type EventState = NonNullable<StateDocument['events']>[number]
