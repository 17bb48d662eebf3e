import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { type Stored, Table } from '../../db/table.js'
import { assumed, enumeration, mark, requestSchema, requestText } from '../../interface/schemas.js'
import { fromCatalogue } from '../../profile/by-profile.js'
import { count, flag, newId, text } from '../document.js'
import { extraField } from '../extra.js'
import { completer, inDocument, properties, type ResourceTable, viewer } from '../field-table.js'

const pause = flag('true: it does not fire; false if absent.')
const maxBackupFiles = count('How many automatic backups are kept; 7 if absent.', 1)
const maxReservedDays = count('How many days they are kept; 7 if absent.', 1)
const maxRetry = count('How often a failed one is retried; 0 if absent.')

/** When automatic backups of a workspace are made, and how many are kept. Requests and replies have it in one form. */
export const BACKUP_SCHEDULES = {
  name: 'backup_schedules',
  shownAs: 'BackupSchedule',
  key: ['workspace'],
  fields: {
    /** Id of its workspace. */
    workspace: { type: Type.String() },
    schedule: {
      type: Type.String(),
      document: Type.String({ ...requestText, description: 'Five-field cron, UTC.' }),
      reply: Type.String({ ...requestText, description: 'Five-field cron, UTC; one that never fires is a 400.' }),
      compared: 'stable',
      masked: 'cron'
    },
    pause: { type: Type.Boolean(), default: false, document: pause, reply: pause, compared: 'stable' },
    max_backup_files: {
      type: Type.Integer(),
      default: 7,
      document: maxBackupFiles,
      reply: maxBackupFiles,
      compared: 'stable'
    },
    max_reserved_days: {
      type: Type.Integer(),
      default: 7,
      document: maxReservedDays,
      reply: maxReservedDays,
      compared: 'stable'
    },
    max_retry: { type: Type.Integer(), default: 0, document: maxRetry, reply: maxRetry, compared: 'stable' },
    extra: extraField('backup_schedule')
  }
} as const satisfies ResourceTable

export type BackupScheduleRecord = Stored<typeof BACKUP_SCHEDULES.fields>

/** Completes a new backup schedule with its defaults. */
export const newBackupSchedule = completer(BACKUP_SCHEDULES.fields)

export const backupScheduleInDocument = inDocument(BACKUP_SCHEDULES)

/** A backup schedule as the interface shows it. */
export const toBackupScheduleView = viewer(BACKUP_SCHEDULES.fields, {})

export const BackupScheduleSchema = requestSchema(
  'P-042',
  BACKUP_SCHEDULES.shownAs,
  'When automatic backups are made, and how many are kept; sent and answered in this form.',
  properties(BACKUP_SCHEDULES.fields, 'reply')
)
export type BackupSchedule = Static<typeof BackupScheduleSchema>

const REPEATS = ['none', 'daily', 'weekdays', 'weekly'] as const

const weekdays = Type.Optional(
  Type.String({
    format: 'weekdays',
    description: 'For weekly: weekdays such as Mon,Thu; if absent, the weekday on which it is set.'
  })
)
const date = Type.Optional(
  Type.String({
    format: 'calendar-date',
    description: 'YYYY-MM-DD; required if it does not repeat, otherwise ignored.'
  })
)
const time = Type.String({ format: 'clock-time', description: 'HH:mm, local.' })
const timezone = Type.String({ format: 'time-zone', description: 'IANA zone.' })
const newSize = Type.Optional(
  fromCatalogue(
    'workspaceTypes',
    'New size of the workspace, which is started first if necessary; if absent, the workspace is stopped.'
  )
)

/** When to stop a workspace, or to start it with a size. Requests and replies have it in one form. */
export const WORKSPACE_SCHEDULES = {
  name: 'workspace_schedules',
  shownAs: 'WorkspaceSchedule',
  key: ['workspace', 'id'],
  fields: {
    workspace_id: { reply: Type.String({ ...requestText, description: 'Id of the workspace, the one in the path.' }) },
    /** Id of its workspace. */
    workspace: { type: Type.String() },
    repeat: {
      type: enumeration(REPEATS, 'How it repeats.'),
      document: enumeration(REPEATS, 'How it repeats.'),
      reply: Type.String({
        format: 'repeat',
        description:
          'none (or `No Repeat`), daily, weekdays (Monday to Friday) or weekly, in any case; lower case in replies.'
      }),
      compared: 'word'
    },
    /** For a weekly one: weekdays such as `Mon,Thu`. */
    repeat_on: {
      type: Type.Union([Type.String(), Type.Null()]),
      default: null,
      document: weekdays,
      reply: weekdays,
      compared: 'stable'
    },
    /** For one that does not repeat: `YYYY-MM-DD`. */
    date: {
      type: Type.Union([Type.String(), Type.Null()]),
      default: null,
      document: date,
      reply: date,
      compared: 'stable'
    },
    time: { type: Type.String(), document: time, reply: time, compared: 'stable' },
    timezone: { type: Type.String(), document: timezone, reply: timezone, compared: 'stable' },
    /** null: stop the workspace. */
    workspace_type_name: {
      type: Type.Union([Type.String(), Type.Null()]),
      default: null,
      document: newSize,
      reply: newSize,
      list: 'workspace_types',
      compared: 'stable'
    },
    id: {
      type: Type.String(),
      defaultOf: newId,
      document: text('A new UUID if absent.'),
      reply: text('Id of the schedule; if absent or not in use, a new one is created, with this id if given.')
    },
    extra: extraField('schedule')
  }
} as const satisfies ResourceTable

export type WorkspaceScheduleRecord = Stored<typeof WORKSPACE_SCHEDULES.fields>

/** Completes a new workspace schedule with its defaults. */
export const newSchedule = completer(WORKSPACE_SCHEDULES.fields)

export const scheduleInDocument = inDocument(WORKSPACE_SCHEDULES)

/** A workspace schedule as the interface shows it. */
export const toWorkspaceScheduleView = viewer(WORKSPACE_SCHEDULES.fields, {
  workspace_id: ({ workspace }) => workspace
})

export const WorkspaceScheduleSchema = requestSchema(
  'P-043',
  WORKSPACE_SCHEDULES.shownAs,
  'Stops a workspace, or starts and resizes it.',
  properties(WORKSPACE_SCHEDULES.fields, 'reply')
)
export type WorkspaceSchedule = Static<typeof WorkspaceScheduleSchema>

/** The part of a WorkspaceSchedule that is needed to delete it. */
export const ScheduleDeletionSchema = Type.Object(
  {
    ...Type.Partial(Type.Omit(WorkspaceScheduleSchema, ['id'])).properties,
    ...mark('P-191', { id: Type.String({ ...requestText, description: 'Id of the schedule.' }) })
  },
  { description: 'A workspace schedule to delete.', ...assumed('P-191') }
)

/** The rows of backup schedules, at most one per workspace. Every function takes the sandbox key first. */
export function backupScheduleStore(db: Database) {
  const table = new Table(db, BACKUP_SCHEDULES)
  return {
    insert: table.inserter(),
    /** Adds the schedule of a workspace, or replaces it. */
    set: table.replacer(),
    find: table.finder('workspace'),
    list: table.lister('workspace'),
    listAll: table.lister()
  }
}

/** The rows of workspace schedules. Every function takes the sandbox key first; lists are in order of creation. */
export function scheduleStore(db: Database) {
  const table = new Table(db, WORKSPACE_SCHEDULES)
  return {
    insert: table.inserter(),
    /** Adds a schedule, or replaces the one with its id. */
    set: table.replacer(),
    find: table.finder('workspace', 'id'),
    /** Finds the first schedule with an id, for a path that does not name its workspace. */
    findAnywhere: table.finder('id'),
    list: table.lister('workspace'),
    listAll: table.lister(),
    /** @returns how many were removed */
    remove: table.remover('workspace', 'id')
  }
}
