// Alternatives for a Node user. Each is installed once into a scratch folder, and serves the nearest equivalents of
// reading one workspace, creating a workgroup, and listing 100 workgroups with 500 workspaces.
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch } from './servers.js'

const SCRATCH = join(tmpdir(), 'svc-mock-bench-peers')
const START_TIMEOUT_MS = 120_000

export const PEERS = {
  prism: {
    packages: { '@stoplight/prism-cli': '5.14.2' },
    keeps: 'nothing',
    begin: ({ port, folder, openapi, bin }) => {
      writeFileSync(join(folder, 'openapi.json'), openapi)
      return [
        process.execPath,
        bin('@stoplight/prism-cli/dist/index.js'),
        'mock',
        join(folder, 'openapi.json'),
        '--port',
        port,
        '--errors',
        'false',
        '--verboseLevel',
        'silent'
      ]
    },
    requests: sameInterface
  },
  mockoon: {
    packages: { '@mockoon/cli': '9.9.0' },
    keeps: 'nothing',
    begin: ({ port, folder, openapi, bin }) => {
      writeFileSync(join(folder, 'openapi.json'), openapi)
      return [
        process.execPath,
        bin('@mockoon/cli/bin/run.js'),
        'start',
        '--data',
        join(folder, 'openapi.json'),
        '--port',
        port,
        '--disable-log-to-file',
        '--disable-admin-api',
        '--max-transaction-logs',
        '1'
      ]
    },
    requests: sameInterface
  },
  'json-server': {
    packages: { 'json-server': '0.17.4' },
    keeps: 'disk, unsynced',
    begin: ({ port, folder, groups, bin }) => {
      const workgroups = groups.map((group) => ({ id: group.workgroup_id, ...group }))
      const workspaces = groups.flatMap((group) =>
        group.workspaces.map((workspace) => ({ id: workspace.workspace_id, ...workspace }))
      )
      writeFileSync(join(folder, 'db.json'), JSON.stringify({ workgroups, workspaces }))
      return [process.execPath, bin('json-server/lib/cli/bin.js'), '--port', port, '--quiet', join(folder, 'db.json')]
    },
    requests: ({ url, groups, headers, newGroup }) => ({
      get: { url: `${url}/workspaces/${groups[0].workspaces[0].workspace_id}`, headers },
      create: { url: `${url}/workgroups`, method: 'POST', headers, body: newGroup },
      list: { url: `${url}/workgroups?_limit=${groups.length}`, headers }
    })
  },
  azurite: {
    packages: { azurite: '3.35.0' },
    keeps: 'disk, unsynced',
    begin: ({ port, folder, bin }) => [
      process.execPath,
      bin('azurite/dist/src/table/main.js'),
      '--tablePort',
      port,
      '--location',
      folder,
      '--silent',
      '--skipApiVersionCheck',
      '--disableTelemetry'
    ],
    env: { AZURITE_ACCOUNTS: `bench:${Buffer.from('bench').toString('base64')}` },
    requests: async ({ url, groups, newGroup }) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json;odata=nometadata',
        prefer: 'return-content'
      }
      const to = (path) => `${url}/bench${path}?${accountSas()}`
      await ask(to('/Tables'), headers, { TableName: 'workspaces' })
      for (const { workgroup_id: PartitionKey, workspaces } of groups) {
        for (const workspace of workspaces) {
          // A table can only hold texts, numbers and booleans.
          const columns = Object.entries(workspace).map(([name, value]) => [
            name,
            typeof value === 'object' ? JSON.stringify(value) : value
          ])
          await ask(to('/workspaces'), headers, {
            PartitionKey,
            RowKey: workspace.workspace_id,
            ...Object.fromEntries(columns)
          })
        }
      }
      const [
        {
          workgroup_id: group,
          workspaces: [{ workspace_id: workspace }]
        }
      ] = groups
      return {
        get: { url: to(`/workspaces(PartitionKey='${group}',RowKey='${workspace}')`), headers },
        // In another partition. A table lists all its partitions, so this list grows.
        create: {
          url: to('/workspaces'),
          method: 'POST',
          headers,
          idReplacement: true,
          body: JSON.stringify({ PartitionKey: 'new', RowKey: '[<id>]', ...JSON.parse(newGroup) })
        },
        list: { url: `${to('/workspaces()')}&$filter=${encodeURIComponent("PartitionKey ne 'new'")}`, headers }
      }
    }
  },
  wiremock: {
    packages: { wiremock: '3.13.2' },
    keeps: 'nothing',
    isPossible: () => {
      try {
        execFileSync('java', ['-version'], { stdio: 'ignore' })
        return true
      } catch {
        return false
      }
    },
    begin: ({ port, folder, groups, paths, bin }) => {
      mkdirSync(join(folder, 'mappings'))
      const stub = (name, method, urlPath, Result) =>
        writeFileSync(
          join(folder, 'mappings', `${name}.json`),
          JSON.stringify({
            request: { method, urlPath },
            response: {
              status: 200,
              headers: { 'content-type': 'application/json' },
              jsonBody: { Error: false, Message: 'ok', RequestID: 'x', Result }
            }
          })
        )
      stub('get', 'GET', paths.get, groups[0].workspaces[0])
      stub('create', 'POST', paths.create, { ...groups[0], workspaces: [], svc_databases: [] })
      stub('list', 'GET', paths.list, groups)
      return [
        'java',
        '-jar',
        bin('wiremock/build/wiremock-standalone-3.13.2.jar'),
        '--port',
        port,
        '--root-dir',
        folder,
        '--no-request-journal',
        '--disable-banner'
      ]
    },
    requests: sameInterface
  }
}

/**
 * Starts some of the peers with the data of the mock.
 * @returns the process of each, with the requests to send
 */
export async function startPeers(names, directory, data) {
  const started = []
  for (const name of names) {
    const peer = PEERS[name]
    if (peer === undefined) throw new Error(`there is no peer ${name}; there are ${Object.keys(PEERS).join(', ')}`)
    if (peer.isPossible?.() === false) {
      console.error(`${name} is left out: there is no Java`)
      continue
    }
    console.error(`starting ${name}`)
    const home = install(name, peer.packages)
    const folder = join(directory, name)
    mkdirSync(folder)
    const port = String(await freePort())
    const [command, ...args] = peer.begin({ ...data, port, folder, bin: (path) => join(home, 'node_modules', path) })
    const { pid } = launch(command, args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...peer.env }
    })
    const url = `http://127.0.0.1:${port}`
    await answers(url)
    started.push({
      name: `${name} ${Object.values(peer.packages)[0]}`,
      keeps: peer.keeps,
      pid,
      requests: await peer.requests({ ...data, url })
    })
  }
  return started
}

function sameInterface({ url, paths, headers, newGroup }) {
  return {
    get: { url: url + paths.get, headers },
    create: { url: url + paths.create, method: 'POST', headers, body: newGroup },
    list: { url: url + paths.list, headers }
  }
}

function install(name, packages) {
  const home = join(SCRATCH, name)
  if (existsSync(join(home, 'node_modules'))) return home
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{}')
  console.error(`installing ${name} into ${home}`)
  const wanted = Object.entries(packages).map(([wantedName, version]) => `${wantedName}@${version}`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  return home
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => {
        resolve(port)
      })
    })
  })
}

/** Waits until a server replies. */
async function answers(url) {
  const end = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (Date.now() > end) throw new Error(`${url} did not answer in time`, { cause: error })
      await sleep(200)
    }
  }
}

async function ask(url, headers, body) {
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`POST ${url}: ${await reply.text()}`)
}

/** A token with all permissions for the tables of the account `bench` until 2099. */
function accountSas() {
  const [permissions, services, types, expiry, version] = ['rwdlacu', 't', 'sco', '2099-01-01T00:00:00Z', '2019-02-02']
  const signed = ['bench', permissions, services, types, '', expiry, '', '', version, ''].join('\n')
  const signature = createHmac('sha256', 'bench').update(signed).digest('base64')
  return new URLSearchParams({
    sv: version,
    ss: services,
    srt: types,
    sp: permissions,
    se: expiry,
    sig: signature
  }).toString()
}
