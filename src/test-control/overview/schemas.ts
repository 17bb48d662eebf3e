import { Type } from '@sinclair/typebox'
import type { Shape } from '../../interface/schemas.js'
import { strict } from '../../lib/strict.js'
import { properties } from '../../resources/field-table.js'
import { BRIEF_WORKSPACES } from '../../resources/workspaces/fields.js'

const text = (description: string) => Type.String({ description })
const states = Type.Array(Type.String())
const renames = Type.Record(Type.String(), Type.String())

export const WorkspaceSummarySchema = strict(properties(BRIEF_WORKSPACES.fields, 'reply'), {
  description: 'A summary of a workspace.'
})
export type WorkspaceSummary = Shape<typeof WorkspaceSummarySchema>

export const WorkgroupSummarySchema = strict(
  {
    workgroup_id: text('Id of the workgroup.'),
    name: text('Name.'),
    platform: text('Cloud platform.'),
    region: text('Region.')
  },
  { description: 'A summary of a workgroup.' }
)
export type WorkgroupSummary = Shape<typeof WorkgroupSummarySchema>

export const DatabaseSummarySchema = strict(
  {
    database_id: text('Id of the database.'),
    workgroup_id: text('Id of its workgroup.'),
    name: text('Name.')
  },
  { description: 'A summary of a database.' }
)
export type DatabaseSummary = Shape<typeof DatabaseSummarySchema>

export const OverviewSchema = strict(
  {
    org_name: text('Name of the org.'),
    base_path: text('Path under which the interface is mounted.'),
    prefix: Type.String({ description: 'Where the operations of the controller are, below that path.' }),
    names: strict(
      { fields: renames, values: renames },
      { description: 'Names of its fields, and values, that are not the built-in ones.' }
    ),
    states: strict(
      { workspace: renames, refresh: renames, backup: renames, restore_job: renames },
      { description: 'Words for states that are not the built-in ones.' }
    ),
    routes: Type.Record(
      Type.String(),
      strict({
        method: text('Method.'),
        path: text('Path below `base_path`, with ids, and fields of the body, in braces.'),
        from: Type.Record(Type.String(), strict({ source: text('`query` or `body`.'), name: text('Name.') }), {
          description: 'Parameters that are elsewhere.'
        })
      }),
      { description: 'The operations that the console starts, by operationId.' }
    ),
    predates_seed: Type.Boolean({
      description:
        'Whether it was there before the server was started with `--seed-file` or `--demo`, which fill only new ' +
        'sandboxes. A reset brings the seed.'
    }),
    workgroups: Type.Array(WorkgroupSummarySchema, { description: 'In order of creation.' }),
    databases: Type.Array(DatabaseSummarySchema, { description: 'In order of creation.' }),
    workspaces: Type.Array(WorkspaceSummarySchema, { description: 'In order of creation.' }),
    possible_in: strict(
      {
        pause: states,
        resume: states,
        refresh: states,
        delete: states,
        backup: states,
        restore: states,
        activity: states
      },
      {
        description: 'States of a workspace that allow each action.'
      }
    )
  },
  { description: 'A summary of a sandbox.' }
)
export type Overview = Shape<typeof OverviewSchema>
