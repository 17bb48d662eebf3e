import { RELATED } from '../profile/stored-kinds.js'
import type { CatalogueList, Comparable, Comparables } from '../resources/comparable.js'
import { comparable, type ResourceTable } from '../resources/field-table.js'
import { ORG_USERS } from '../resources/org-users/fields.js'
import { LISTED, RESOURCE_TABLES } from '../resources/tables.js'
import { WORKSPACES } from '../resources/workspaces/fields.js'
import { AgentConfigSchema } from '../resources/workspaces/parts.js'

const OF_RESOURCES: Comparables = Object.fromEntries(
  RESOURCE_TABLES.flatMap(({ shownAs, fields }: ResourceTable) =>
    shownAs === undefined ? [] : [[shownAs, comparable(fields)]]
  )
)

/** A resource with fields that are not in its table. */
const withOccasional = (schema: string, ...fields: readonly string[]): Comparables => ({
  [schema]: { ...OF_RESOURCES[schema], occasional: [...OF_RESOURCES[schema]!.occasional!, ...fields] }
})

/** The fields to compare, by schema. */
export const COMPARABLES: Comparables = {
  ...OF_RESOURCES,
  // A profile can keep deleted workspaces readable.
  ...withOccasional(WORKSPACES.shownAs, 'deleted_at'),
  ...withOccasional(ORG_USERS.shownAs, 'metadata.lastLogin'),
  WorkspaceSize: { identity: 'workspace_id' },
  WorkspaceType: {
    identity: 'typeName',
    stable: ['typeName', 'cpu', 'memory', 'partition', 'ha'],
    masked: { cpu: 'quantity', memory: 'quantity' }
  },
  WorkspaceAddonsRequest: { identity: 'addons_id', stable: ['addons_id', 'enable', 'unique_name', 'is_free'] },
  AgentConfig: { stable: Object.keys(AgentConfigSchema.properties) },
  'org_handler.OrgRole': { identity: 'name', stable: ['name', 'displayName', 'path'] },
  Region: { identity: 'name' },
  SvcVersion: { identity: 'name', masked: { image: 'composed' } }
}

/** The fields to compare in objects of a schema; none if it belongs to no resource. */
export function comparableOf(schema: string | undefined): Comparable {
  return (schema === undefined ? undefined : COMPARABLES[schema]) ?? {}
}

/** The list from which a field of replies takes its values. */
export const catalogueListOf = (schema: string | undefined, field: string): CatalogueList | undefined =>
  LISTED[schema ?? '']?.[field]

type MetadataList = Exclude<CatalogueList, 'roles'>

/** Fields of requests whose values are from a list of the metadata, with the schema and the field that show them. */
export const CHOICES = Object.entries(OF_RESOURCES).flatMap(([schema, { chosen = [] }]) =>
  chosen.map((choice) => ({ ...choice, schema, list: choice.list as MetadataList }))
)

export const CATALOGUED: ReadonlyMap<string, MetadataList> = new Map(CHOICES.map(({ field, list }) => [field, list]))

/** Fields of requests whose values are from a list. */
export const CHOSEN: Readonly<Record<string, CatalogueList>> = { ...Object.fromEntries(CATALOGUED), roles: 'roles' }

/** Resources that the mock adopts with their values if they exist before the exchanges begin. */
export const RESOURCES: readonly string[] = Object.values(RELATED)
