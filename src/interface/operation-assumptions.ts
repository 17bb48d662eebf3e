import { type FactKey, refused, section } from './assumption.js'
import type { AssumptionId } from './assumption-id.js'
import { ERROR_STATUSES } from './errors.js'
import type { OperationId } from './operation-ids.js'

interface Claim {
  readonly operations: readonly [OperationId, ...OperationId[]]
  /** The text of each operation in the column "assumed" of docs/interface.md. */
  readonly cell: string
  /** Facts about each of the operations. */
  readonly about?: readonly Omit<FactKey, 'operation'>[]
  /** Facts about any operation, unless another assumption is more specific. */
  readonly ofAll?: readonly FactKey[]
}

const result = (['envelope', 'type'] as const).map((aspect): FactKey => ({ aspect, field: 'Result' }))

/** The error statuses that the interface declares for no operation. */
const UNDECLARED = ERROR_STATUSES.filter((status) => status !== 400 && status !== 500).sort((a, b) => a - b)

/** The assumptions in docs/interface.md about all operations. */
export const INTERFACE_ASSUMPTIONS = section(
  'The interface',
  '`src/http/interface/`; the names: `docs/interface.md`.',
  {
    'P-176': {
      says: 'The interface numbers its operations; their operationIds are assumed.'
    },
    'P-177': {
      says:
        `Statuses that are not **declared** are assumed: ${UNDECLARED.slice(0, -1).join(', ')} and ` +
        `${UNDECLARED.at(-1)!} for every operation, 400 and 500 where they are not listed.`
    }
  }
)

const CLAIMS: Readonly<Record<AssumptionId, Claim>> = {
  'P-178': {
    operations: ['updateWorkgroup', 'updateDatabase'],
    cell: 'only the name can be changed',
    about: [{ aspect: 'value' }]
  },
  'P-179': {
    operations: ['deleteWorkgroup'],
    cell: 'a 400 while it has workspaces or databases',
    about: refused('notAllowed')
  },
  'P-180': {
    operations: ['getCurrentIP'],
    cell: 'the values of `IsAllowed` and `CurrentIP`; the names are declared',
    about: [{ aspect: 'value' }, { aspect: 'field' }, { aspect: 'type' }]
  },
  'P-181': {
    operations: ['deleteDatabase'],
    cell: 'a 400 while it has workspaces',
    about: refused('notAllowed')
  },
  'P-182': {
    operations: ['updateWorkspace'],
    cell: '`pause` does the same as 27 and 29',
    about: [
      { aspect: 'transition', subject: 'workspace.pause' },
      { aspect: 'transition', subject: 'workspace.resume' }
    ]
  },
  'P-183': {
    operations: ['refreshWorkspace'],
    cell: 'it shows in `refresh_status`',
    about: [{ aspect: 'transition', subject: 'workspace.refresh' }]
  },
  'P-184': {
    operations: ['getMetadata'],
    cell: 'the same catalogue for everybody',
    ofAll: [{ aspect: 'catalogue' }]
  },
  'P-185': {
    operations: ['restoreBackup'],
    cell: 'the string is the id of the job',
    about: [...result, { aspect: 'form' }, { aspect: 'value' }]
  },
  'P-186': {
    operations: ['getRestoreStatus'],
    cell: 'the values of `status`',
    about: [{ aspect: 'state' }]
  },
  'P-187': {
    operations: ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule'],
    cell: '[the choice](#the-shared-path) among 22, 35 and 36',
    about: refused('invalidBody')
  },
  'P-188': {
    operations: ['getBackupSchedule'],
    cell: 'a 404 before one was set',
    about: refused('notFound')
  },
  'P-189': {
    operations: ['getWorkspaceSchedules'],
    cell: 'the string is the JSON text of an array of `WorkspaceSchedule`',
    about: result
  },
  'P-190': {
    operations: ['updateWorkspaceSchedule'],
    cell: 'it also creates',
    about: [{ aspect: 'status' }]
  },
  'P-191': {
    operations: ['deleteWorkspaceSchedule'],
    cell: 'only `id` is needed, and an unknown one is a 400',
    about: refused('notAllowed')
  },
  'P-192': {
    operations: ['updateWorkspaceSchedule', 'deleteWorkspaceSchedule'],
    cell: 'the string is the id',
    about: [...result, { aspect: 'form' }, { aspect: 'value' }]
  },
  'P-193': {
    operations: ['createDatabaseUser', 'updateDatabaseUserPassword'],
    cell: 'both fields are needed',
    about: refused('invalidBody')
  },
  'P-194': {
    operations: ['createDatabaseUser'],
    cell: 'a taken `username` is a 400',
    about: refused('notAllowed')
  },
  'P-195': {
    operations: ['deleteDatabaseUser'],
    cell: '`username` is needed',
    about: refused('invalidBody')
  },
  'P-196': {
    operations: ['updateDatabaseUserPassword', 'deleteDatabaseUser'],
    cell: 'an unknown `username` is a 400',
    about: refused('notAllowed')
  },
  'P-197': {
    operations: ['listOrgUsers'],
    cell: 'it is an array',
    about: [{ aspect: 'envelope' }]
  }
}

/** Assumptions about a single operation, or a few. */
export const OPERATION_ASSUMPTIONS = Object.entries(CLAIMS).map(
  ([id, { operations, cell, about = [], ofAll = [] }]) => ({
    id,
    topic: INTERFACE_ASSUMPTIONS.topic,
    change: INTERFACE_ASSUMPTIONS.change,
    says: `${operations.map((operation) => `\`${operation}\``).join(', ')}: ${cell}.`,
    operations,
    cell,
    about: [...operations.flatMap((operation) => about.map((fact) => ({ ...fact, operation }))), ...ofAll]
  })
)
