/** The workspace of the demo data that starts when somebody uses it, in a state document. */
export const ON_DEMAND_STATE = {
  id: 'on-demand',
  database: 'metrics',
  is_rw: false,
  status: 'Idle',
  enable_auto_start: true
} as const
