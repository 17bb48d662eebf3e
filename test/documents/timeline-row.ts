import { at } from '../sandbox.js'

/** A row of the timeline of the workspace `w`, as a state document has it. */
export const row = (seconds: number) => ({
  at: at(seconds),
  resource_id: 'w',
  transition: 'workspace.pause',
  attribute: 'status',
  from: 'Active',
  to: 'Pausing',
  reason: null
})
