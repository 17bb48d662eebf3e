import { type Static, Type } from '@sinclair/typebox'
import { ref, replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { fromCatalogue } from '../../profile/from-catalogue.js'
import { SvcDatabaseSchema } from '../databases/schemas.js'
import { WorkspaceSchema } from '../workspaces/schemas.js'

const platform = fromCatalogue('platforms', (defaults) => `Cloud platform; ${defaults.platform} if absent.`)
const region = fromCatalogue('regions', (defaults) => `A region of the metadata; ${defaults.region} if absent.`)

export const CreateWorkgroupRequestSchema = requestSchema('P-020', 'CreateWorkgroupRequest', 'A workgroup to create.', {
  cloud_provider_id: Type.String({
    ...requestText,
    description: 'Account at the cloud provider that the workgroup runs in.'
  }),
  name: Type.Optional(
    Type.String({ ...requestText, description: '`workgroup-` and the first 8 characters of the id if absent.' })
  ),
  platform: Type.Optional(platform),
  region: Type.Optional(region)
})

export const UpdateWorkgroupRequestSchema = requestSchema(
  'P-021',
  'UpdateWorkgroupRequest',
  'Changes to a workgroup.',
  {
    workgroup_name: Type.Optional(Type.String({ ...requestText, description: 'New name.' }))
  }
)

export const WorkgroupSchema = replySchema('P-022', 'Workgroup', 'A group of workspaces and databases in one region.', {
  workgroup_id: Type.String(),
  name: Type.String(),
  org_id: Type.String(),
  org_name: Type.String(),
  creator: Type.String({ description: 'E-mail address of the user who created it.' }),
  cloud_provider_id: Type.String(),
  platform: Type.String(),
  region: Type.String(),
  enable_allow_list: Type.Boolean({ description: 'Whether the allow list is in force.' }),
  svc_databases: Type.Array(ref(SvcDatabaseSchema), {
    description: 'Databases of the workgroup, without their workspaces.'
  }),
  workspaces: Type.Array(ref(WorkspaceSchema), { description: 'Workspaces of the workgroup.' })
})
export type Workgroup = Static<typeof WorkgroupSchema>
