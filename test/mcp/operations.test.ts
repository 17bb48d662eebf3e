import t from 'tap'
import { type InterfaceDocument, operationsOf } from '../../src/mcp/operations.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const described = (paths: object) =>
  operationsOf({ paths, components: { schemas: {} } } as unknown as InterfaceDocument)

void t.test('an operation has its first path, and operations that share a path have separate bodies', async (t) => {
  const shared = (schema?: object) => ({
    post: {
      operationId: 'changePlan',
      requestBody: {
        content: {
          'application/json': {
            schema,
            examples: { setBackupSchedule: { value: 1 }, updateWorkspaceSchedule: { value: 2 }, other: { value: 3 } }
          }
        }
      }
    }
  })
  const operations = described({
    '/plan': shared({ anyOf: [ref('BackupSchedule'), ref('WorkspaceSchedule')] }),
    '/groups': { get: { operationId: 'listWorkgroups' } },
    '/teams': { get: { operationId: 'listWorkgroups' } },
    '/stub': { get: { operationId: 'ownOperation' } }
  })
  t.match(
    [...operations.values()].map(({ operation, path, body, example }) => [operation, path, body, example]),
    [
      ['listWorkgroups', '/groups', undefined, undefined],
      ['setBackupSchedule', '/plan', ref('BackupSchedule'), 1],
      ['updateWorkspaceSchedule', '/plan', ref('WorkspaceSchedule'), 2]
    ],
    'in the usual order'
  )
  const bodyWith = (schema?: object) => described({ '/plan': shared(schema) }).get('setBackupSchedule')?.body
  t.strictSame([bodyWith({ type: 'object' }), bodyWith()], [{ type: 'object' }, {}])
})
