import t from 'tap'
import { checkRefused, openWith } from './edge.js'

void t.test('a profile sets rules and defaults for request bodies', async (t) => {
  const b = await openWith(t, {
    requests: {
      CreateWorkgroupRequest: {
        name: { required: true, max_length: 20, min_length: 3, pattern: '^[a-z-]+$' },
        cloud_provider_id: { default: 'account' }
      },
      CreateWorkspaceRequest: { auto_stop_minutes: { minimum: 10, maximum: 60, default: 30 } },
      UpdateWorkgroupRequest: { workgroup_name: { max_length: 300 } }
    }
  })
  const make = (body: object) => b.call('POST', '/workgroups', body)
  t.match(await make({}), { status: 400, body: { ErrorDetails: [{ FieldName: 'name', Reason: /required/ }] } })
  for (const name of ['ab', 'a'.repeat(21), 'Name'])
    t.match(await make({ name }), { status: 400, body: { ErrorDetails: [{ FieldName: 'name' }] } }, name)
  const { status, body } = await make({ name: 'one' })
  t.match([status, body.Result], [200, { name: 'one', cloud_provider_id: 'account' }])
  const { requests } = await b.controlResult('GET', '/requests?limit=1')
  t.strictSame(requests[0].body, { name: 'one' }, 'the client did not send the default')
  const path = `/workgroups/${body.Result.workgroup_id as string}`
  t.match(await b.result('POST', `${path}/workspaces`, {}), { auto_stop_minutes: 30 })
  t.match(await b.result('POST', `${path}/workspaces`, { auto_stop_minutes: 10 }), { auto_stop_minutes: 10 })
  const many = await b.call('POST', `${path}/workspaces`, { auto_stop_minutes: 61 })
  t.match(many, { status: 400, body: { ErrorDetails: [{ FieldName: 'auto_stop_minutes', Reason: /60/ }] } })
  t.match(await b.result('PUT', path, { workgroup_name: 'n'.repeat(300) }), { name: 'n'.repeat(300) })
  const { components } = (await b.mock.app.inject('/openapi.json')).json()
  t.match(components.schemas['CreateWorkgroupRequest'], { properties: { name: { maxLength: 20 } }, required: ['name'] })
  t.match(await b.controlResult('GET', '/profile'), { requests: { CreateWorkgroupRequest: {} } })
})

void t.test('rules for unknown fields, and defaults of changes, are refused', async (t) => {
  checkRefused(t, 'requests', [
    [{ CreateWorkgruopRequest: {} }, 'CreateWorkgruopRequest'],
    [{ Workspace: {} }, 'Workspace'],
    [{ CreateWorkgroupRequest: { nam: {} } }, 'CreateWorkgroupRequest.nam'],
    [{ CreateWorkgroupRequest: { name: { pattern: '(' } } }, 'CreateWorkgroupRequest.name.pattern'],
    [
      { CreateWorkspaceRequest: { auto_stop_minutes: { default: 'soon' } } },
      'CreateWorkspaceRequest.auto_stop_minutes.default'
    ],
    [{ UpdateWorkgroupRequest: { workgroup_name: { default: 'a' } } }, 'UpdateWorkgroupRequest.workgroup_name.default']
  ])
})

void t.test('rules that every request would break, or none, are refused', async (t) => {
  checkRefused(t, 'requests', [
    [
      { CreateWorkgroupRequest: { name: { default: 'Mock', pattern: '^[a-z]' } } },
      'CreateWorkgroupRequest.name.default'
    ],
    [{ CreateWorkgroupRequest: { name: { default: 'ab', min_length: 3 } } }, 'CreateWorkgroupRequest.name.default'],
    [
      { CreateWorkspaceRequest: { auto_stop_minutes: { minimum: 6, maximum: 5 } } },
      'CreateWorkspaceRequest.auto_stop_minutes'
    ],
    [{ CreateWorkgroupRequest: { name: { min_length: 6, max_length: 5 } } }, 'CreateWorkgroupRequest.name'],
    [{ CreateWorkgroupRequest: { name: { min_length: 257 } } }, 'CreateWorkgroupRequest.name'],
    [{ CreateWorkgroupRequest: { name: { max_length: 0 } } }, 'CreateWorkgroupRequest.name'],
    [{ CreateWorkgroupRequest: { name: { minimum: 3 } } }, 'CreateWorkgroupRequest.name.minimum'],
    [
      { CreateWorkspaceRequest: { auto_stop_minutes: { pattern: '^1' } } },
      'CreateWorkspaceRequest.auto_stop_minutes.pattern'
    ],
    [{ CreateWorkspaceRequest: { enable_ha: { max_length: 3 } } }, 'CreateWorkspaceRequest.enable_ha.max_length']
  ])
})
