import { defineCall } from '../control-call.js'
import { readOverview } from './overview.js'
import { OverviewSchema } from './schemas.js'

export const OVERVIEW_CALLS = [
  defineCall({
    name: 'readOverview',
    method: 'GET',
    path: '/overview',
    tag: 'Watching',
    summary: 'Read a summary of the sandbox',
    result: OverviewSchema,
    program: undefined,
    command: {
      usage: 'workspaces',
      help: 'List the workspaces.',
      examples: ['workspaces'],
      tables: [
        {
          what: 'workspaces',
          list: 'workspaces',
          columns: {
            ID: 'workspace_id',
            NAME: 'name',
            STATUS: 'status',
            TYPE: 'workspace_type_name',
            WRITES: 'is_rw',
            WORKGROUP: 'workgroup_id'
          }
        }
      ]
    },
    inSlices: ({ plane, sandbox }, isTimeUp) => readOverview(plane, sandbox, isTimeUp)
  })
]
