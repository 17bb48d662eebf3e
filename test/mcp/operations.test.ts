import t from 'tap'
import { type InterfaceDocument, operationsOf, operationsTable, wholeSchema } from '../../src/mcp/operations.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const bodyOf = (schema: object, examples?: Record<string, { value: unknown }>) => ({
  content: { 'application/json': { schema: schema as Record<string, unknown>, ...(examples && { examples }) } }
})

/** The description of some operations, as a server gives it. */
const DOCUMENT: InterfaceDocument = {
  paths: {
    '/{id}': {
      post: {
        operationId: 'changePlan',
        summary: 'Change the plan.',
        parameters: [{ name: 'id', in: 'path', description: 'A workspace.' }],
        security: [{ apiKey: [] }, { bearer: [] }],
        requestBody: bodyOf(
          { anyOf: [ref('BackupSchedule'), ref('WorkspaceSchedule')] },
          {
            setBackupSchedule: { value: { schedule: '0 * * * *' } },
            updateWorkspaceSchedule: { value: { repeat: 'daily' } },
            other: { value: 'nothing that is known' }
          }
        )
      }
    },
    '/groups': {
      get: { operationId: 'listWorkgroups', summary: 'List.', security: [{ bearer: [] }] },
      post: {
        operationId: 'createWorkgroup',
        summary: 'Create.',
        parameters: [
          { name: 'id', in: 'path' },
          { name: 'dry', in: 'query', description: 'no id' }
        ],
        security: [],
        requestBody: bodyOf(
          { allOf: [ref('CreateWorkgroupRequest')], description: '' },
          {
            createWorkgroup: { value: { name: 'a' } }
          }
        )
      }
    },
    '/teams': { get: { operationId: 'listWorkgroups', summary: 'Another path for it.' } },
    '/stub': { get: { operationId: 'ownOperation', summary: 'A stub of the profile.' } }
  },
  components: { schemas: {} }
}

void t.test('the operations are those of the document, each by its first path, in the usual order', async (t) => {
  const shared = { method: 'POST', path: '/{id}', ids: { id: 'A workspace.' }, needsSession: false }
  const operations = [...operationsOf(DOCUMENT)]
  t.strictSame(
    operations.map(([id]) => id),
    operations.map(([, { operation }]) => operation)
  )
  t.strictSame(
    operations.map(([, operation]) => operation),
    [
      {
        operation: 'createWorkgroup',
        summary: 'Create.',
        method: 'POST',
        path: '/groups',
        ids: { id: '' },
        needsSession: false,
        body: { allOf: [ref('CreateWorkgroupRequest')], description: '' },
        example: { name: 'a' }
      },
      { operation: 'listWorkgroups', summary: 'List.', method: 'GET', path: '/groups', ids: {}, needsSession: true },
      {
        operation: 'setBackupSchedule',
        ...shared,
        summary: 'setBackupSchedule',
        query: 'operation=set_backup_schedule',
        body: ref('BackupSchedule'),
        example: { schedule: '0 * * * *' }
      },
      {
        operation: 'updateWorkspaceSchedule',
        ...shared,
        summary: 'updateWorkspaceSchedule',
        query: 'operation=update_workspace_schedule',
        body: ref('WorkspaceSchedule'),
        example: { repeat: 'daily' }
      }
    ]
  )
})

void t.test('operations that share a path and one schema have it, and one without any may have any body', async (t) => {
  const sharing = (schema?: object) =>
    operationsOf({
      ...DOCUMENT,
      paths: {
        '/plan': {
          post: {
            operationId: 'changePlan',
            summary: '',
            requestBody: bodyOf(schema as object, { setBackupSchedule: { value: 1 } })
          }
        }
      }
    }).get('setBackupSchedule')?.body
  t.strictSame(sharing({ type: 'object' }), { type: 'object' })
  t.strictSame(sharing(undefined), {})
  t.equal(
    operationsOf({ ...DOCUMENT, paths: { '/plan': { post: { operationId: 'changePlan', summary: '' } } } }).size,
    0,
    'nothing says what it is'
  )
})

void t.test('a table names the operations, with their queries and bodies', async (t) => {
  const operations = [...operationsOf(DOCUMENT).values()]
  t.equal(
    operationsTable([
      ...operations.slice(0, 3),
      { ...operations[0]!, operation: 'updateWorkgroup', body: { type: 'object' } }
    ]),
    `| operation | method | path | body | what it does |
| --- | --- | --- | --- | --- |
| \`createWorkgroup\` | POST | \`/groups\` | \`CreateWorkgroupRequest\` | Create. |
| \`listWorkgroups\` | GET | \`/groups\` | none | List. |
| \`setBackupSchedule\` | POST | \`/{id}?operation=set_backup_schedule\` | \`BackupSchedule\` | setBackupSchedule |
| \`updateWorkgroup\` | POST | \`/groups\` | object | Create. |`
  )
})

void t.test('a schema has those that it refers to inside, however deep, and no marks', async (t) => {
  const schemas = {
    A: { type: 'object', properties: { b: ref('B'), list: { type: 'array', items: ref('B') } }, 'x-assumption': 'a' },
    B: { type: 'string', enum: ['x', null, 1], 'x-assumption': 'b' },
    Tree: { type: 'object', properties: { children: { type: 'array', items: ref('Tree') } } }
  }
  const b = { type: 'string', enum: ['x', null, 1] }
  const a = { type: 'object', properties: { b, list: { type: 'array', items: b } } }
  t.strictSame(wholeSchema(ref('A'), schemas), a)
  t.strictSame(wholeSchema({ allOf: [ref('A'), ref('B')] }, schemas), { allOf: [a, b] }, 'the same one twice')
  t.strictSame(wholeSchema({ ...ref('None'), type: 'x' }, schemas), { type: 'x' }, 'there is no such schema')
  t.strictSame(
    wholeSchema(ref('Tree'), schemas),
    { type: 'object', properties: { children: { type: 'array', items: {} } } },
    'one that refers to itself ends'
  )
  t.equal(wholeSchema(undefined, schemas), undefined)
})
