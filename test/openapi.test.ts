import { createConfig, lintFromString } from '@redocly/openapi-core'
import t from 'tap'
import { ERRORS } from '../src/errors.js'
import { buildMock, CONTROLLER, type Body } from './helper.js'

/** Each operation as the interface declares it: id, method, path, declared statuses, body, Result. */
const OPERATIONS = [
  ['createWorkgroup', 'post', '/workgroups', [200], 'CreateWorkgroupRequest', 'Workgroup'],
  ['listWorkgroups', 'get', '/workgroups', [200], undefined, ['Workgroup']],
  ['getWorkgroup', 'get', '/workgroups/{workgroupID}', [200], undefined, 'Workgroup'],
  ['updateWorkgroup', 'put', '/workgroups/{workgroupID}', [200], 'UpdateWorkgroupRequest', 'Workgroup'],
  ['deleteWorkgroup', 'delete', '/workgroups/{workgroupID}', [200], undefined, 'string'],
  ['addAllowedIP', 'post', '/workgroups/{workgroupID}/allow_list', [200, 400, 500], 'AllowedIP', 'AllowedIP'],
  ['listAllowedIPs', 'get', '/workgroups/{workgroupID}/allow_list', [200, 500], undefined, ['AllowedIP']],
  ['getCurrentIP', 'get', '/workgroups/{workgroupID}/allow_list/current', [200, 500], undefined, 'object'],
  ['disableAllowList', 'put', '/workgroups/{workgroupID}/allow_list/disable', [200, 500], undefined, 'string'],
  ['enableAllowList', 'put', '/workgroups/{workgroupID}/allow_list/enable', [200, 500], undefined, 'string'],
  ['updateAllowedIP', 'put', '/workgroups/{workgroupID}/allow_list/{id}', [200, 400, 500], 'AllowedIP', 'AllowedIP'],
  ['deleteAllowedIP', 'delete', '/workgroups/{workgroupID}/allow_list/{id}', [200, 500], undefined, 'string'],
  ['getDatabase', 'get', '/workgroups/{workgroupID}/databases/{databaseID}', [200], undefined, 'SvcDatabase'],
  ['updateDatabase', 'put', '/workgroups/{workgroupID}/databases/{databaseID}', [200], 'UpdateSvcDatabaseRequest', 'SvcDatabase'],
  ['deleteDatabase', 'delete', '/workgroups/{workgroupID}/databases/{databaseID}', [200], undefined, undefined],
  ['createWorkspace', 'post', '/workgroups/{workgroupID}/workspaces', [200], 'CreateWorkspaceRequest', 'Workspace'],
  ['getWorkspace', 'get', '/workgroups/{workgroupID}/workspaces/{workspaceID}', [200], undefined, 'Workspace'],
  ['updateWorkspace', 'put', '/workgroups/{workgroupID}/workspaces/{workspaceID}', [200], 'UpdateWorkspaceRequest', 'Workspace'],
  ['deleteWorkspace', 'delete', '/workgroups/{workgroupID}/workspaces/{workspaceID}', [200], undefined, undefined],
  ['pauseWorkspace', 'post', '/workgroups/{workgroupID}/workspaces/{workspaceID}/pause', [200], undefined, undefined],
  ['refreshWorkspace', 'post', '/workgroups/{workgroupID}/workspaces/{workspaceID}/refresh', [200], undefined, undefined],
  ['resumeWorkspace', 'post', '/workgroups/{workgroupID}/workspaces/{workspaceID}/resume', [200], undefined, undefined],
  ['getMetadata', 'get', '/workspaces/meta', [200], undefined, 'resource_manager_handler.GetMetadata.metadata']
] as const

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

async function read(...args: Parameters<typeof buildMock>): Promise<{ document: Body; text: string }> {
  const { app } = await buildMock(...args)
  const reply = await app.inject('/openapi.json')
  return { document: reply.json(), text: reply.body }
}

void t.test('the document has no error and no warning by the recommended rules', async (t) => {
  const config = await createConfig({ extends: ['recommended'] })
  for (const options of [{}, { strictBodies: true, basePath: '/api' }]) {
    const problems = await lintFromString({ source: (await read(t, options)).text, absoluteRef: 'openapi.json', config })
    t.strictSame(problems.map(({ ruleId, message, location }) => `${ruleId} ${String(location[0]?.pointer)} ${message}`), [])
  }
})

void t.test('the document lists exactly the operations of the interface', async (t) => {
  const { document } = await read(t)
  const listed = Object.entries(document.paths as Record<string, Record<string, Body>>)
    .flatMap(([path, item]) => Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`))
  t.strictSame(listed.sort(), OPERATIONS.map(([id, method, path]) => `${id} ${method} ${CONTROLLER}${path}`).sort())
})

void t.test('each operation has a tag that is described, a summary, and takes both credentials', async (t) => {
  const { document } = await read(t)
  const tags = (document.tags as Body[]).map(({ name }) => name as string)
  for (const [id, method, path] of OPERATIONS) {
    const operation = document.paths[`${CONTROLLER}${path}`][method]
    t.equal(operation.tags.length, 1, id)
    t.ok(tags.includes(operation.tags[0] as string), `${id} is under ${operation.tags[0]}`)
    t.match(operation.summary, /\S/)
    t.strictSame(operation.security, [{ apiKey: [] }, { session: [] }])
  }
  t.match(document.components.securitySchemes, {
    apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', 'x-placeholder': true }, session: { type: 'http', scheme: 'bearer', 'x-placeholder': true }
  })
})

void t.test('a status is marked as assumed exactly if the interface does not declare it', async (t) => {
  const { document } = await read(t)
  const statuses = [200, ...new Set(Object.values(ERRORS).map(({ status }) => status))].filter((status) => status !== 405)
  for (const [id, method, path, declared] of OPERATIONS) {
    const { responses } = document.paths[`${CONTROLLER}${path}`][method]
    t.strictSame(Object.keys(responses as object).map(Number), [...statuses].sort((a, b) => a - b), id)
    for (const status of statuses) {
      t.equal(responses[status]['x-placeholder'], (declared as readonly number[]).includes(status) ? undefined : true, `${id} ${status}`)
      t.match(responses[status].description, /\S/)
    }
  }
})

void t.test('bodies and payloads refer to the schemas by the names of the interface', async (t) => {
  const { document } = await read(t)
  for (const [id, method, path, , body, result] of OPERATIONS) {
    const { requestBody, responses } = document.paths[`${CONTROLLER}${path}`][method]
    if (body === undefined) t.equal(requestBody, undefined, `${id} takes no body`)
    else t.match(requestBody, { required: true, content: { 'application/json': { schema: ref(body) } } }, `${id} takes ${body}`)
    const success = responses[200].content['application/json'].schema
    if (result === undefined) {
      t.strictSame(success, ref('middleware.Response'), `${id} answers no payload`)
      continue
    }
    const envelope = success.properties
    t.match(envelope, { Error: { type: 'boolean' }, ErrorDetails: { items: ref('middleware.Error') }, Message: { type: 'string' }, RequestID: { type: 'string' } }, id)
    t.match(envelope.Result,
      Array.isArray(result) ? { type: 'array', items: ref(result[0] as string) } : result === 'string' || result === 'object' ? { type: result } : ref(result as string), id)
    // Operations 6 to 12 carry Result as a string in their errors, the others do not.
    const failure = responses[500].content['application/json'].schema
    if (path.includes('allow_list')) t.equal(failure.properties.Result.type, 'string', id)
    else t.strictSame(failure, ref('middleware.Response'), id)
  }
})

void t.test('the schemas have the names of the interface, and what it hides is marked as assumed', async (t) => {
  const { schemas } = (await read(t)).document.components
  t.strictSame(Object.keys(schemas as object).sort(),
    ['AgentConfig', 'AllowedIP', 'CreateWorkgroupRequest', 'CreateWorkspaceRequest', 'FolderStatistics', 'Region', 'SolutionInstallRequest',
      'SvcDatabase', 'SvcVersion', 'UpdateSvcDatabaseRequest', 'UpdateWorkgroupRequest', 'UpdateWorkspaceRequest', 'Workgroup', 'Workspace',
      'WorkspaceAddonsRequest', 'WorkspaceSize', 'WorkspaceType', 'middleware.Error', 'middleware.Response',
      'resource_manager_handler.GetMetadata.metadata'])
  for (const [name, schema] of Object.entries(schemas as Record<string, Body>)) {
    const isShown = name === 'middleware.Response'
    t.equal(schema['x-placeholder'], isShown ? undefined : true, name)
    for (const [field, property] of Object.entries(schema.properties as Record<string, Body>)) {
      // What a field refers to is marked itself.
      const isMarked = property['x-placeholder'] === true || '$ref' in property
      t.equal(isMarked, !isShown, `${name}.${field}`)
    }
  }
  t.strictSame(schemas.CreateWorkgroupRequest.required, ['cloud_provider_id'])
  t.strictSame(schemas.AllowedIP.required, ['cidr'])
  for (const name of ['Workgroup', 'UpdateWorkgroupRequest', 'middleware.Error', 'middleware.Response']) {
    t.equal(schemas[name].required, undefined, `no field of ${name} can be counted on`)
  }
})

void t.test('the base path is part of the paths', async (t) => {
  const { document } = await read(t, { basePath: '/api' })
  t.strictSame(Object.keys(document.paths as object).filter((path) => !path.startsWith(`/api${CONTROLLER}/`)), [])
})
