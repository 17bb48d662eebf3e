import { Type } from '@sinclair/typebox'
import { assumed, mark, requestText } from '../../interface/schemas.js'
import { WorkspaceScheduleSchema } from './fields.js'

/** The part of a WorkspaceSchedule that is needed to delete it. */
export const ScheduleDeletionSchema = Type.Object(
  {
    ...Type.Partial(Type.Omit(WorkspaceScheduleSchema, ['id'])).properties,
    ...mark('P-191', { id: Type.String({ ...requestText, description: 'Id of the schedule.' }) })
  },
  { description: 'A workspace schedule to delete.', ...assumed('P-191') }
)
