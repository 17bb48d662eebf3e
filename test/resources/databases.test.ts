import t from 'tap'
import { buildMock, matchSuccess } from '../helper.js'
import { at, seconds, testsIn } from '../sandbox.js'

const testIn = testsIn(await buildMock(t, { transitions: 'instant' }))

testIn(
  'operation 13 answers the database with every field, and its workspaces in the order of creation',
  async (t, b) => {
    const group = await b.result('POST', '/workgroups', { cloud_provider_id: 'x', region: 'us-west-2' })
    const path = `/workgroups/${group.workgroup_id}`
    const rw = await b.result('POST', `${path}/workspaces`, { svc_version: '4.2.0' })
    await b.advance('PT5S')
    const ro = await b.result('POST', `${path}/workspaces`, { svc_database_id: rw.database_id, is_rw: false })
    const sizes = [rw, ro].map(({ workspace_id }) => ({ workspace_id, size: 0 }))
    const database = {
      database_id: rw.database_id,
      name: `database-${(rw.database_id as string).slice(0, 8)}`,
      org_id: group.org_id,
      org_name: '',
      workgroup_id: group.workgroup_id,
      region: 'us-west-2',
      svc_version: '4.2.0',
      create_time: seconds(at(0)),
      folder_statistics: {
        backup_size: 0,
        billed_size: 0,
        log_size: 0,
        total_size: 0,
        milvus_size: 0,
        workspaces: sizes
      }
    }
    matchSuccess(t, await b.call('GET', `${path}/databases/${rw.database_id}`), 'Successfully got the database.', {
      ...database,
      workspaces: [rw, ro]
    })
    t.strictSame((await b.result('GET', path)).svc_databases, [database], 'a workgroup shows it without its workspaces')
    t.strictSame((await b.result('GET', '/workgroups'))[0].svc_databases, [database])
  }
)

testIn('a workspace without a version has the newest, on an older database too', async (t, b) => {
  const path = `/workgroups/${await b.createWorkgroup()}/workspaces`
  const { database_id } = await b.result('POST', path, { svc_version: '4.1.3' })
  t.equal((await b.result('POST', path, { svc_database_id: database_id, is_rw: false })).svc_version, '4.2.2')
})

testIn('operation 14 renames a database in all reads', async (t, b) => {
  const workgroup = await b.createWorkgroup()
  const { database_id } = await b.createActive(workgroup)
  const url = `/workgroups/${workgroup}/databases/${database_id}`
  const before = await b.result('GET', url)
  await b.result('GET', '/workgroups')
  for (const svc_database_name of ['Ümläut 🚀', 'x', '🚀'.repeat(256)]) {
    const renamed = { ...before, name: svc_database_name }
    matchSuccess(t, await b.call('PUT', url, { svc_database_name }), 'Successfully updated the database.', renamed)
    t.strictSame(await b.result('GET', url), renamed)
    t.equal((await b.result('GET', '/workgroups'))[0].svc_databases[0].name, svc_database_name)
  }
})

testIn('operation 30 answers the whole catalogue', async (t, b) => {
  const types = [
    ['SVC-00', '2', '16Gi', 1, 3],
    ['SVC-0', '4', '32Gi', 1, 3],
    ['SVC-1', '8', '64Gi', 1, 3],
    ['SVC-2', '16', '128Gi', 1, 3],
    ['SVC-4', '32', '256Gi', 1, 3],
    ['SVC-6', '48', '384Gi', 1, 3],
    ['SVC-8', '64', '512Gi', 1, 3],
    ['SVC-16', '128', '1024Gi', 2, 2],
    ['SVC-24', '192', '1536Gi', 3, 2],
    ['SVC-32', '256', '2048Gi', 4, 2],
    ['SVC-64', '512', '4096Gi', 8, 2]
  ]
  matchSuccess(t, await b.call('GET', '/workspaces/meta'), 'Successfully got the metadata.', {
    regions: [
      { name: 'us-east-1', description: 'US East' },
      { name: 'us-west-2', description: 'US West' },
      { name: 'eu-west-1', description: 'Europe West' },
      { name: 'ap-southeast-1', description: 'Asia Pacific Southeast' },
      { name: 'ap-south-1', description: 'Asia Pacific South' }
    ],
    svcVersions: ['4.2.2', '4.2.1', '4.2.0', '4.1.3'].map((name) => ({ name, image: `svc/database:${name}` })),
    workspaceTypes: types.map(([typeName, cpu, memory, partition, ha]) => ({ typeName, cpu, memory, partition, ha }))
  })
})
