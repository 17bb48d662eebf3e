// Compares operations with a bare Fastify route and with alternatives to svc-mock, in alternation.
// Usage: npm run bench [-- --rounds 5 --seconds 3 --peers prism,mockoon,json-server,azurite,wiremock]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PEERS, startPeers } from './peers.js'
import { publish } from './report.js'
import { alternate, CONNECTIONS, load, post, start, startMock } from './servers.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    peers: { type: 'string', default: Object.keys(PEERS).join(',') }
  }
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const GROUPS = 100
const WORKSPACES_EACH = 5

const directory = mkdtempSync(join(tmpdir(), 'svc-mock-bench-'))
try {
  const mock = await startMock(directory)
  const interface_ = `${mock.url}/controller/v4/v2`
  const headers = { 'x-api-key': 'bench', 'content-type': 'application/json' }
  console.error(`making ${GROUPS} workgroups of ${WORKSPACES_EACH} workspaces`)
  for (let made = 0; made < GROUPS; made++) {
    const { workgroup_id: id } = await post(`${interface_}/workgroups`, headers, { cloud_provider_id: 'bench' })
    for (let workspace = 0; workspace < WORKSPACES_EACH; workspace++)
      await post(`${interface_}/workgroups/${id}/workspaces`, headers, {})
  }
  const list = await (await fetch(`${interface_}/workgroups`, { headers })).text()
  const text = join(directory, 'list.json')
  writeFileSync(text, list)
  const bare = await start(['bench/bare.js', text])
  const groups = JSON.parse(list).Result
  const [
    {
      workgroup_id: group,
      workspaces: [{ workspace_id: workspace }]
    }
  ] = groups
  // Creations go to another sandbox, so that the lists stay the same.
  const writer = { ...headers, 'x-api-key': 'bench-writer' }
  const { workgroup_id: holder } = await post(`${interface_}/workgroups`, writer, { cloud_provider_id: 'bench' })
  const newGroup = JSON.stringify({ cloud_provider_id: 'bench' })

  const peers = await startPeers(values.peers.split(',').filter(Boolean), directory, {
    openapi: await (await fetch(`${mock.url}/openapi.json`)).text(),
    groups,
    paths: {
      get: `/controller/v4/v2/workgroups/${group}/workspaces/${workspace}`,
      list: '/controller/v4/v2/workgroups',
      create: '/controller/v4/v2/workgroups'
    },
    headers,
    newGroup
  })
  const name = 'svc-mock'
  const subjects = [
    { server: 'bare Fastify', keeps: 'nothing', what: 'a constant', pid: bare.pid, request: { url: bare.url } },
    {
      server: 'bare Fastify',
      keeps: 'nothing',
      what: 'the bytes of list (2)',
      pid: bare.pid,
      request: { url: `${bare.url}/text` }
    },
    { what: 'read one workgroup (3)', request: { url: `${interface_}/workgroups/${group}`, headers } },
    {
      what: 'read one workspace (17)',
      kind: 'get',
      request: { url: `${interface_}/workgroups/${group}/workspaces/${workspace}`, headers }
    },
    {
      what: 'create a workgroup (1)',
      kind: 'create',
      request: { url: `${interface_}/workgroups`, method: 'POST', headers: writer, body: newGroup }
    },
    {
      what: 'create a workspace (16)',
      request: { url: `${interface_}/workgroups/${holder}/workspaces`, method: 'POST', headers: writer, body: '{}' }
    },
    { what: `list ${GROUPS} workgroups (2)`, kind: 'list', request: { url: `${interface_}/workgroups`, headers } }
  ].map((subject) => ({ server: name, keeps: 'disk', pid: mock.pid, ...subject }))
  for (const { name: server, keeps, pid, requests } of peers) {
    const kinds = { get: 'read one', create: 'create one', list: 'list' }
    for (const [kind, request] of Object.entries(requests))
      subjects.push({ server, keeps, pid, kind, what: kinds[kind], request })
  }

  const results = await alternate(subjects, rounds, ({ pid, request }, isWarmUp) =>
    load({ pid, ...request }, isWarmUp ? 1 : seconds)
  )
  const measured = subjects.map(({ server, keeps, kind, what }, index) => ({
    server,
    keeps,
    kind,
    what,
    ...results[index]
  }))
  const reference = measured[0].rate
  const own = (kind) => measured.find((row) => row.server === name && row.kind === kind)
  publish('side-by-side', {
    how:
      `autocannon, ${CONNECTIONS} connections, no pipelining, on the servers' own cores; medians of ${rounds} ` +
      `rounds of ${seconds} s, in alternation.`,
    tables: [
      measured.map(({ server, keeps, kind, what, rate, cpu, bytes }) => ({
        server,
        keeps,
        operation: what,
        'requests/s': Math.round(rate),
        'of the bare route': (rate / reference).toFixed(3),
        'svc-mock is faster by': server === name || kind === undefined ? '' : `${(own(kind).rate / rate).toFixed(1)} ×`,
        'CPU µs': Math.round(cpu),
        'MB/s': Math.round((rate * bytes) / 1e6)
      }))
    ],
    measured
  })
} finally {
  rmSync(directory, { recursive: true })
}
process.exit()
