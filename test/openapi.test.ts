import { createConfig, lintFromString } from '@redocly/openapi-core'
import t, { type Test } from 'tap'
import { ERRORS } from '../src/interface/errors.js'
import type { Options } from '../src/options.js'
import { type Body, buildMock, CONTROLLER } from './helper.js'
import {
  hasErrorResult,
  type InterfaceOperation,
  needsSession,
  publishedId,
  readOperations,
  routesOf
} from './operations.js'

/** The schemas of the interface, and those of their fields. */
const NAMES = `
  AgentConfig AllowedIP Backup BackupRestoreStatus BackupSchedule CreateWorkgroupRequest CreateWorkspaceRequest
  DeleteBackupRequest FolderStatistics InDatabaseUserRequest Region RestoreBackupRequest SolutionInstallRequest
  SvcDatabase SvcVersion UpdateSvcDatabaseRequest UpdateWorkgroupRequest UpdateWorkspaceRequest Workgroup Workspace
  WorkspaceAddonsRequest WorkspaceSchedule WorkspaceSize WorkspaceType middleware.Error middleware.Response
  org_handler.OrgListUserResponse org_handler.OrgRole org_handler.PutOrgUsersRoles
  resource_manager_handler.GetMetadata.metadata svcIAM.IAMUser
`

/** Id of an assumption. */
const ID = /^P-\d{3}$/

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The operations of each route, with their description in the document. */
function published(document: Body): [readonly InterfaceOperation[], Body][] {
  return [...routesOf(readOperations()).values()].map((group) => [
    group,
    document.paths[group[0]!.path][group[0]!.method]
  ])
}

/** The fields of a schema and of the unnamed schemas in it. */
function fieldsOf(schema: Body, path: string): [string, Body][] {
  const own = Object.entries((schema.properties ?? {}) as Record<string, Body>)
  return [
    ...own.flatMap(([name, property]): [string, Body][] => [
      [`${path}.${name}`, property],
      ...fieldsOf(property, `${path}.${name}`)
    ]),
    ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${path}[]`))
  ]
}

async function read(
  t: Test,
  options: Partial<Options> = {},
  path = '/openapi.json'
): Promise<{ document: Body; text: string }> {
  const { app } = await buildMock(t, options)
  const reply = await app.inject(path)
  return { document: reply.json(), text: reply.body }
}

const PATHS = ['/openapi.json', '/_mock/openapi.json']

/** In addition to the recommended ones, which check examples, summaries and the parameters of paths. */
const RULES = { 'operation-singular-tag': 'error', 'operation-tag-defined': 'error', 'parameter-description': 'error' }

void t.test('neither document violates the rules', async (t) => {
  const config = await createConfig({ extends: ['recommended'], rules: RULES } as never)
  for (const path of PATHS) {
    const source = (await read(t, { strictBodies: true, basePath: '/api' }, path)).text
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
    const told = problems.map(({ ruleId, message, location }) => `${ruleId} ${String(location[0]?.pointer)} ${message}`)
    t.strictSame(told, [], path)
  }
})

void t.test('the document of the control API has every route under /_mock, and the other one none', async (t) => {
  const { document } = await read(t, {}, '/_mock/openapi.json')
  t.match(document.paths, { '/_mock/clock': { get: {}, put: {} }, '/_mock/timeline': { get: {} } })
  const isControl = (path: string) => path.startsWith('/_mock/')
  t.ok(Object.keys(document.paths as object).every(isControl))
  t.notOk(Object.keys((await read(t)).document.paths as object).some(isControl))
})

void t.test('each operation has its credentials', async (t) => {
  const { document } = await read(t)
  for (const [group, { security }] of published(document)) {
    const isForUsers = group.some(needsSession)
    t.strictSame(security, isForUsers ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }], publishedId(group))
  }
  t.match(document.components.securitySchemes, {
    apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', 'x-assumption': ID },
    session: { type: 'http', scheme: 'bearer', 'x-assumption': ID }
  })
})

void t.test('each operation describes its success and every error', async (t) => {
  const { document } = await read(t)
  const errors = [...new Set(Object.values(ERRORS).map(({ status }) => status))].filter((status) => status !== 405)
  for (const [group, { responses }] of published(document)) {
    const statuses = [group[0]!.success, ...errors].sort((a, b) => a - b)
    t.strictSame(Object.keys(responses as object).map(Number), statuses, publishedId(group))
    for (const status of statuses) t.match(responses[status].description, /\S/)
  }
})

void t.test('bodies are required, and replies have the envelope', async (t) => {
  const { document } = await read(t)
  for (const [group, { requestBody, responses }] of published(document)) {
    const [operation] = group as [InterfaceOperation]
    const id = publishedId(group)
    if (operation.body !== undefined) t.match(requestBody, { required: true, content: { 'application/json': {} } }, id)
    const { result, isBare, success } = operation
    if (success === 204) t.equal(responses[204].content, undefined, `${id} answers nothing`)
    else if (!isBare && result !== undefined) {
      t.match(
        responses[200].content['application/json'].schema.properties,
        {
          Error: { type: 'boolean' },
          ErrorDetails: { anyOf: [{ items: ref('middleware.Error') }, { type: 'null' }] },
          Message: { type: 'string' },
          RequestID: { type: 'string' },
          Result: {}
        },
        id
      )
    }
    for (const status of Object.keys(responses as object).filter((status) => Number(status) >= 400)) {
      const failure = responses[status].content['application/json'].schema
      if (hasErrorResult(operation)) t.equal(failure.properties.Result.type, 'string', `${id} ${status}`)
      else t.strictSame(failure, ref('middleware.Response'), `${id} ${status}`)
    }
  }
})

void t.test('the schemas have the names of the interface, and marks where it is silent', async (t) => {
  const { document } = await read(t)
  const { schemas } = document.components
  t.strictSame(Object.keys(schemas as object).sort(), NAMES.trim().split(/\s+/))
  for (const [name, schema] of Object.entries(schemas as Record<string, Body>)) {
    const isShown = name === 'middleware.Response'
    t.equal(ID.test(schema['x-assumption'] as string), !isShown, name)
    for (const [field, property] of fieldsOf(schema, name)) {
      // A named schema has its own mark.
      if (!('$ref' in property)) t.equal(property['x-assumption'], schema['x-assumption'], field)
    }
  }
  const shared = document.paths[`${CONTROLLER}/workgroups/{workgroupID}/workspaces/{workspaceID}/backups/schedule`].post
  const parts: Body[] = shared.requestBody.content['application/json'].schema.anyOf
  const deletion = parts.find((schema) => !('$ref' in schema))
  for (const [field, property] of fieldsOf(deletion, 'deletion')) t.match(property['x-assumption'], ID, field)
  const chosen = (shared.parameters as Body[]).find(({ name }) => name === 'operation')
  t.match(chosen, { in: 'query', schema: { 'x-assumption': ID } })
  t.strictSame(schemas.CreateWorkgroupRequest.required, ['cloud_provider_id'])
  t.strictSame(schemas.AllowedIP.required, ['cidr'])
  for (const name of ['Workgroup', 'UpdateWorkgroupRequest', 'middleware.Error', 'middleware.Response'])
    t.equal(schemas[name].required, undefined, `no field of ${name} can be counted on`)
})

void t.test('both documents and each security scheme have a description', async (t) => {
  for (const path of PATHS) {
    const { document } = await read(t, {}, path)
    for (const part of [document.info, ...Object.values(document.components.securitySchemes as object)])
      t.match(part, { description: /\S/ })
  }
})

void t.test('the control API shows calls without a credential, optional bodies and other types', async (t) => {
  const { document } = await read(t, {}, '/_mock/openapi.json')
  const { paths } = document
  const typesOf = (path: string) => Object.keys(paths[path].get.responses['200'].content as object)
  t.strictSame(paths['/_mock/sandboxes'].get.security, [])
  t.strictSame(paths['/_mock/sandboxes/purge'].post.security, [])
  t.equal(paths['/_mock/sandboxes'].post.security.length, 4, 'a key or a session, without or with the token')
  t.match(paths['/_mock/clock'].get.security, [{}, { apiKey: [], mockToken: [] }, {}, {}])
  t.match(document.components.securitySchemes.mockToken, { in: 'header', name: 'X-Mock-Token' })
  t.equal(paths['/_mock/reset'].post.requestBody.required, false)
  t.equal(paths['/_mock/faults'].post.requestBody.required, true)
  t.strictSame(typesOf('/_mock/coverage'), ['application/json', 'application/xml'])
  t.strictSame(typesOf('/_mock/stream'), ['text/event-stream'])
  t.match(paths['/_mock/stream'].get.description, /\S/)
  t.notMatch(JSON.stringify(document), /"x-(?:assumed-statuses|optional-body|other-types|own-examples|sole-type)"/)
})
