import { Type } from '@sinclair/typebox'
import type { Shape } from '../../interface/schemas.js'
import { strict, timestamp } from '../../lib/strict.js'
import { TimelineEntrySchema } from '../../sim/schemas.js'
import { DatabaseSummarySchema, WorkgroupSummarySchema, WorkspaceSummarySchema } from '../overview/schemas.js'

const ids = Type.Array(Type.String())

/** The data of the event `state`. */
export const StateEventSchema = strict(
  {
    at: timestamp('When, by the clock of the sandbox.'),
    complete: Type.Boolean({ description: 'Whether it lists all changes; if not, read the rest.' }),
    tables: Type.Array(Type.String(), { description: 'Tables whose rows have changed.' }),
    changed: strict({
      workgroups: Type.Array(WorkgroupSummarySchema),
      databases: Type.Array(DatabaseSummarySchema),
      workspaces: Type.Array(WorkspaceSummarySchema)
    }),
    removed: strict({ workgroups: ids, databases: ids, workspaces: ids }, { description: 'Ids of deleted resources.' }),
    timeline: Type.Array(TimelineEntrySchema, { description: 'The states that have changed.' })
  },
  { description: 'What a write has changed.' }
)
export type StateEvent = Shape<typeof StateEventSchema>
