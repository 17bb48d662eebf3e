import t from 'tap'
import { buildMock, matchError } from '../helper.js'
import { bodiesWith, hasErrorResult, needsSession, readOperations } from '../operations.js'
import { NONE, testsIn } from '../sandbox.js'

const testIn = testsIn(await buildMock(t))

/** What each parameter of a path names, with one that there is and one that is only under another parent. */
const PARAMETERS: Record<string, readonly [what: string, own: string, elsewhere?: string]> = {
  workgroupID: ['workgroup', 'g'],
  workspaceID: ['workspace', 'w', 'other-w'],
  databaseID: ['database', 'd', 'other-d'],
  id: ['allowed IP', 'a', 'other-a'],
  job: ['restore job', 'j', 'other-j'],
  userId: ['org user', 'owner']
}

const workgroup = (prefix: string) => ({
  id: `${prefix}g`,
  allow_list: { entries: [{ id: `${prefix}a`, cidr: '192.0.2.1' }] },
  databases: [{ id: `${prefix}d` }],
  workspaces: [{ id: `${prefix}w`, database: `${prefix}d`, restore_jobs: [{ id: `${prefix}j` }] }]
})
const STATE = {
  org_users: [{ id: 'owner', email: 'owner@svc.test', roles: ['org-admin'] }],
  workgroups: [workgroup(''), workgroup('other-')]
}

const BODIES = bodiesWith({ backup: 'b', schedule: 's', workspaceID: 'w' })

testIn('each operation names the unknown id in its path, even if it exists under another parent', async (t, b) => {
  await b.controlResult('PUT', '/state', STATE)
  const contents = async () => (await b.controlResult('GET', '/state')).workgroups as unknown
  const before = await contents()
  for (const operation of readOperations()) {
    const { operationId, method, path } = operation
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const credential = needsSession(operation)
      ? { key: null, headers: { authorization: `Bearer ${b.key}` } }
      : { key: b.key }
    for (const wrong of names) {
      const [what, , elsewhere] = PARAMETERS[wrong]!
      const ids = [NONE, "' OR 1=1 --", 'ünï/%', 'x'.repeat(5000)]
      // A read of the backups or of a job names no workgroup, so that a workspace of any of them is found.
      if (elsewhere !== undefined && names[0] !== wrong) ids.push(elsewhere)
      for (const id of ids) {
        const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(name === wrong ? id : PARAMETERS[name]![1])
        )
        const reply = await b.mock.call(method.toUpperCase(), url, {
          ...credential,
          prefix: '',
          ...(BODIES[operationId] && { body: BODIES[operationId] })
        })
        t.comment(`${operationId}: ${url}`)
        matchError(t, reply, 'notFound', 'resource', { values: { what, id }, result: hasErrorResult(operation) })
      }
    }
  }
  t.strictSame(await contents(), before, 'nothing has changed')
})

testIn('ids are compared exactly, with case', async (t, b) => {
  await b.controlResult('PUT', '/state', STATE)
  matchError(t, await b.call('GET', '/workgroups/G'), 'notFound', 'resource', {
    values: { what: 'workgroup', id: 'G' }
  })
})
