import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/resources/allow-list/document.ts',
    line: 'if (entry.id !== undefined && RESERVED_IDS',
    replacement: 'true',
    reason: 'What is undefined is not reserved.'
  },
  {
    file: 'src/resources/backups/document.ts',
    line: "unique('backup',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/backups/document.ts',
    line: "unique('restore job',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/backups/store.ts',
    line: 'if (surplus > 0)',
    replacement: 'surplus >= 0',
    reason: 'It spares a statement that would remove nothing.'
  },
  {
    file: 'src/resources/database-users/document.ts',
    line: "unique('user',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/databases/document.ts',
    line: "unique('database',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/org-users/document.ts',
    line: "unique('org user',",
    replacement: '""',
    reason: 'The name of a kind only keeps it apart from the others, and no other one is empty.'
  },
  {
    file: 'src/resources/org-users/views.ts',
    line: "uuidFrom('role',",
    replacement: '""',
    reason: 'It keeps the ids of roles apart from other ids that are made of names, of which there are none.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: "const [, , days = '', months = '', weekdays = ''] =",
    replacement: '"Stryker was here!"',
    reason: 'A line without weekdays is left to others at once.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'if (day === undefined) return false',
    replacement: 'false',
    reason: 'A day that is not a number is not behind the last one.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'const MONTHS = ',
    replacement: '""',
    reason: 'Where January is not known, a month that is none has 31 days as well.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'const [, from, to, step] =',
    replacement: '["Stryker was here"]',
    reason: 'The item is in a place that is not read.'
  },
  {
    file: 'src/resources/schedules/dates.ts',
    line: 'const monthOf = ',
    replacement: '/\\d/',
    reason: 'A month consists of digits or of letters, not of both.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'true',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'false',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'names.size > MOST_NAMES',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (names.size >= MOST_NAMES) names.clear()',
    replacement: 'names.size < MOST_NAMES',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (offsets.size >= MOST_OFFSETS) offsets.clear()',
    replacement: 'false',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'if (offsets.size >= MOST_OFFSETS) offsets.clear()',
    replacement: 'offsets.size > MOST_OFFSETS',
    reason: 'It bounds what is known of names and offsets, which only spares time.'
  },
  {
    file: 'src/resources/schedules/zones.ts',
    line: 'return Number.isNaN(offset) ? undefined : offset',
    replacement: 'false',
    reason: 'No day has the same offset as another, if there is none.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'export function isAtRest(',
    replacement: '{}',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'auto_stop_minutes: autoStop = 0 } = workspace',
    replacement: '""',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'return AT_REST.has(status) &&',
    replacement: 'false',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'return AT_REST.has(status) &&',
    replacement: "status !== 'Active' && autoStop === 0",
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'Object.keys(WORKSPACE_STATES).filter((state) =>',
    replacement: '() => undefined',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'Object.values(WORKSPACE_TRANSITIONS).every(',
    replacement: 'false',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/workspaces/document.ts',
    line: 'Object.values(WORKSPACE_TRANSITIONS).every(',
    replacement: '() => undefined',
    reason: 'It spares questions to the database, which would find nothing to schedule.'
  },
  {
    file: 'src/resources/schedules/document.ts',
    line: '{ backup_schedule: backup, schedules = [], is_rw: isRw = true }: Checked,',
    replacement: '["Stryker was here"]',
    reason: 'An item that is a text has no fields that could be wrong.'
  }
]
