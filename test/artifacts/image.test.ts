import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Body, CONTROLLER, runProgram } from '../helper.js'
import { plainEnvironment } from '../programs.js'
import { asUser, lacking, lackingNamespaces, QUICK_COMPILER, ROOT, run } from './tools.js'

// buildah builds the Dockerfile, with a compiler that does not optimise. Its base images cannot be fetched everywhere,
// so the test makes similar ones of the same names: Debian 13, and Node 24 with npm. The result runs as in an engine:
// as process 1, without network or rights, and with only the volume writable.

const DEBIAN = 'docker.io/library/debian:trixie-slim'
const NODE = 'docker.io/library/node:24-trixie-slim'
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const VERSION = '7.7.7'
const REVISION = '0123abc'
/** An address in the container's network that is not loopback, for a remote caller. */
const OUTSIDE = '192.0.2.1'

const programs = { buildah: 'buildah', debootstrap: 'debootstrap', ip: 'iproute2' }
const skip = lacking({ ...programs, unshare: 'util-linux', nsenter: 'util-linux' }) || lackingNamespaces()

void t.test('the image', { skip, timeout: 900_000 }, async (t) => {
  const work = mkdtempSync(join(tmpdir(), 'svc-mock-image-'))
  const buildah = (minutes: number, ...args: string[]) =>
    run('buildah', ['--root', join(work, 'store'), '--runroot', join(work, 'run'), ...args], { minutes })
  t.teardown(async () => {
    await buildah(1, 'umount', '--all')
    rmSync(work, { recursive: true, force: true })
  })

  await makeBases(work, buildah)
  const dockerfile = join(work, 'Dockerfile')
  const flags = Object.entries(QUICK_COMPILER).map((variable) => variable.join('='))
  const built = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    // The bases have the names, but not the digests, of the real ones.
    .replaceAll(/(?<=^FROM \S+)@\S+/gm, '')
    .replace('npm_config_nodedir=', `${flags.join(' ')} $&`)
  writeFileSync(dockerfile, built)
  const form = ['--isolation', 'chroot', '--pull-never', '--format', 'docker']
  const versions = ['--build-arg', `VERSION=${VERSION}`, '--build-arg', `REVISION=${REVISION}`]
  const volumes = (await npmSettings(work)).flatMap((path) => ['--volume', path])
  await buildah(10, 'bud', ...form, ...versions, ...volumes, '--tag', 'svc-mock', '--file', dockerfile, ROOT)
  const { config } = JSON.parse(await buildah(1, 'inspect', '--type', 'image', 'svc-mock')).Docker
  const container = (await buildah(1, 'from', '--pull-never', 'svc-mock')).trim()
  const root = (await buildah(1, 'mount', container)).trim()

  await t.test('documents how to run it', async (t) => {
    t.match(config, {
      User: /^[1-9]\d*:[1-9]\d*$/,
      Entrypoint: ['node', '--v8-pool-size=1', '/app/dist/cli/main.js'],
      Cmd: ['serve'],
      StopSignal: 'SIGTERM',
      Volumes: { '/data': {} },
      ExposedPorts: { '4700/tcp': {} },
      Healthcheck: { Test: ['CMD', 'healthy'] }
    })
    t.strictSame(Object.keys(config.Volumes as object), ['/data'])
    const { description, license, homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      string,
      string
    >
    t.match(config.Labels, {
      'org.opencontainers.image.title': 'svc-mock',
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': license,
      'org.opencontainers.image.source': homepage!.replace('#readme', ''),
      'org.opencontainers.image.revision': REVISION,
      'org.opencontainers.image.version': VERSION
    })
  })

  await t.test('has what it needs to run, and nothing for building or testing', async (t) => {
    t.strictSame(readdirSync(join(root, 'app')).sort(), [
      'LICENSE',
      'dist',
      'migrations',
      'node_modules',
      'package.json'
    ])
    t.ok(existsSync(join(root, 'app/dist/console/index.html')), 'the console is built')
    t.strictSame(readdirSync(join(root, 'app/node_modules')).sort(), ['better-sqlite3', 'bindings', 'file-uri-to-path'])
    for (const name of ['usr/bin/python3', 'usr/bin/make', 'usr/bin/g++', 'usr/local/lib/node_modules'])
      t.notOk(existsSync(join(root, name)), `no ${name}`)
    t.notOk(existsSync(join(root, 'app/node_modules/better-sqlite3/deps')), 'no sources of SQLite')
    const files = readdirSync(join(root, 'app/dist'), { recursive: true, encoding: 'utf8' })
    t.strictSame(
      files.filter((path) => /\.(?:map|d\.ts)$/.test(path)),
      [],
      'no types and no source maps'
    )
  })

  const volume = join(work, 'volume')
  mkdirSync(volume)
  // As in an engine, a new volume gets the owner of the directory that it covers.
  chownSync(volume, ...((config.User as string).split(':').map(Number) as [number, number]))
  const start = (t: Test, env: Record<string, string> = {}) => startContainer(t, root, volume, config, env)

  await t.test('runs without rights or network on a read-only root, and stops at SIGTERM', async (t) => {
    const server = await start(t, { SVC_MOCK_TRANSITIONS: 'instant' })
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    t.match(status, /^NSpid:\t\d+\t1$/m, 'it is process 1')
    t.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m, 'it is not root')
    t.match(status, /^CapEff:\t0+$/m, 'it has no capabilities')
    for (const folder of ['/', '/tmp', '/app']) {
      t.not(
        server.exec(['node', '-e', `fs.writeFileSync(${JSON.stringify(join(folder, 'x'))}, '')`]).code,
        0,
        `${folder} is read-only`
      )
    }
    t.strictSame(server.exec(healthcheck(config)), { code: 0, output: '' }, 'the health check says that it is healthy')
    t.strictSame(server.exec(['svc-mock', '--version']), { code: 0, output: `${packageVersion()}\n` })

    t.equal(server.call('POST', `${CONTROLLER}/workgroups`, { cloud_provider_id: 'x', name: 'kept' }).status, 200)
    t.equal(server.call('GET', '/_mock/clock').status, 200, 'the control API is open within the container')
    const page = [
      'node',
      '-e',
      "fetch('http://127.0.0.1:4700/_mock/').then(async (reply) => console.log(reply.status, " +
        '/assets/.test(await reply.text())))'
    ]
    t.strictSame(server.exec(page), { code: 0, output: '200 true\n' }, 'and so is the console')
    const outside = server.call('GET', '/_mock/clock', undefined, { host: `localhost:4700` }, OUTSIDE)
    t.match(
      outside,
      { status: 403, body: { Message: /callers from elsewhere \(192\.0\.2\.1\)/ } },
      'and closed for others'
    )
    t.equal(
      server.exec(['svc-mock', 'ctl', 'clock', '--key', 'container']).code,
      0,
      'ctl works as it is run in the container'
    )

    t.ok((await server.stop('SIGTERM')) < 5000, 'within 5 s')
    t.strictSame(await server.exited, { code: 0, signal: null })
  })

  await t.test('its SQLite addon survives the garbage collector of its Node', async (t) => {
    const server = await start(t)
    const script =
      "import { startMock } from '/app/dist/index.js'; for (let i = 0; i < 3; i++) { await (await " +
      'startMock()).close(); gc(); await new Promise(setImmediate) }'
    t.strictSame(server.exec(['node', '--expose-gc', '--input-type=module', '--eval', script]), {
      code: 0,
      output: ''
    })
    await server.stop('SIGTERM')
  })

  await t.test('keeps the data on its volume across a restart, even after SIGKILL', async (t) => {
    for (const index of [1, 2]) {
      const server = await start(t)
      const { body } = server.call('GET', `${CONTROLLER}/workgroups`)
      t.match(
        body.Result,
        Array.from({ length: index }, () => ({ cloud_provider_id: 'x' })),
        `start ${index + 1}`
      )
      server.call('POST', `${CONTROLLER}/workgroups`, { cloud_provider_id: 'x' })
      await server.stop('SIGKILL')
    }
    t.strictSame(
      readdirSync(volume).filter((name) => !name.startsWith('svc-mock.db')),
      [],
      'only the database is on the volume'
    )
  })

  await t.test('accepts a document for which SQLite would write a temporary file by default', async (t) => {
    const server = await start(t)
    const workgroups = Array.from({ length: 3000 }, (_, index) => ({
      id: `group-${index}`,
      name: 'n'.repeat(200),
      databases: [{ id: `db-${index}` }]
    }))
    t.equal(server.call('PUT', '/_mock/state', { workgroups }).status, 200)
    t.equal(server.call('PUT', '/_mock/state', { workgroups: workgroups.slice(1) }).status, 200, 'and replaces it')
    t.equal(server.call('GET', `${CONTROLLER}/workgroups`).body.Result.length, 2999)
    await server.stop('SIGTERM')
  })

  await t.test('opens the control API to remote callers with a token, and with a name', async (t) => {
    const server = await start(t, { SVC_MOCK_CONTROL_TOKEN: 'secret', SVC_MOCK_ALLOWED_HOST: 'svc-mock' })
    const ask = (headers: Record<string, string>) =>
      server.call('GET', '/_mock/clock', undefined, headers, OUTSIDE).status
    t.equal(ask({ host: 'localhost:4700' }), 403, 'without the token')
    t.equal(ask({ host: 'localhost:4700', 'x-mock-token': 'secret' }), 200, 'by a published port')
    t.equal(ask({ host: 'svc-mock:4700', 'x-mock-token': 'secret' }), 200, 'by the name of a service')
    t.equal(ask({ host: 'elsewhere.test', 'x-mock-token': 'secret' }), 403, 'by another name')
    await server.stop('SIGTERM')
    const open = await start(t, { SVC_MOCK_CONTROL: 'open' })
    t.equal(open.call('GET', '/_mock/clock', undefined, { host: 'localhost:4700' }, OUTSIDE).status, 200, 'open')
    await open.stop('SIGTERM')
  })

  await t.test('a health check of a silent server fails in time', async (t) => {
    const server = await start(t)
    process.kill(server.pid, 'SIGSTOP')
    const begin = Date.now()
    t.equal(server.exec(healthcheck(config)).code, 1)
    t.ok(Date.now() - begin < 5000, 'before the time-out of the health check')
    process.kill(server.pid, 'SIGCONT')
    await server.stop('SIGTERM')
  })

  await t.test('runs the example of docker/compose.yaml', async (t) => {
    const server = await start(t, { SVC_MOCK_CONTROL_TOKEN: 'secret' })
    const env = { MOCK_URL: 'http://127.0.0.1:4700', MOCK_TOKEN: 'secret' }
    const { code, output } = server.exec(
      ['node', '--input-type=module', '--eval', readFileSync(join(ROOT, 'examples/client.mjs'), 'utf8')],
      env
    )
    t.equal(code, 0, output)
    t.match(output, /The workspace main is Active\.\n$/)
    await server.stop('SIGTERM')
  })
})

const packageVersion = () =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

function healthcheck({ Healthcheck }: Body): string[] {
  const [form, ...command] = Healthcheck.Test as string[]
  if (form !== 'CMD') throw new Error('the health check wants a shell')
  return command
}

/** Makes base images like those of the Dockerfile: Debian, with Node, its headers and npm. */
async function makeBases(
  work: string,
  buildah: (minutes: number, ...args: string[]) => Promise<string>
): Promise<void> {
  const base = join(work, 'base')
  await run('debootstrap', ['--variant=minbase', 'trixie', base], { minutes: 5 })
  const commit = async (name: string) => {
    const container = (await buildah(1, 'from', 'scratch')).trim()
    await buildah(3, 'add', '--quiet', container, base)
    await buildah(1, 'config', '--env', `PATH=${PATH}`, container)
    await buildah(3, 'commit', '--quiet', container, name)
  }
  await commit(DEBIAN)
  const architecture = process.arch
  for (const [name, target] of [
    [`node-linux-${architecture}@24`, 'usr/local'],
    ['npm@11', 'usr/local/lib/node_modules/npm']
  ] as const) {
    const tarball = (await run('npm', ['pack', '--silent', name], { cwd: work, minutes: 3 })).trim()
    mkdirSync(join(base, target), { recursive: true })
    await run('tar', ['xzf', join(work, tarball), '-C', join(base, target), '--strip-components=1', '--no-same-owner'])
  }
  for (const name of ['npm', 'npx']) {
    const script = `lib/node_modules/npm/bin/${name}-cli.js`
    chmodSync(join(base, 'usr/local', script), 0o755)
    symlinkSync(`../${script}`, join(base, 'usr/local/bin', name))
  }
  await commit(NODE)
  rmSync(base, { recursive: true })
}

/** Passes this machine's npm settings and certificates to the build. @returns volumes for buildah */
async function npmSettings(work: string): Promise<string[]> {
  const get = async (name: string) => (await run('npm', ['config', 'get', name])).trim()
  const [registry, cafile] = [await get('registry'), await get('cafile')]
  const path = join(work, 'npmrc')
  const certificates = join(work, 'certificates.pem')
  const hasCertificates = existsSync(cafile)
  writeFileSync(
    path,
    `registry=${registry}\nupdate-notifier=false\n${hasCertificates ? `cafile=${certificates}\n` : ''}`
  )
  if (hasCertificates) cpSync(cafile, certificates, { dereference: true })
  return [`${path}:/root/.npmrc:ro`, ...(hasCertificates ? [`${certificates}:${certificates}:ro`] : [])]
}

/** Reads a request from standard input, and writes the reply. `fetch` could not set the Host header. */
const REQUEST = `
  const { method, path, headers, body, address } = JSON.parse(fs.readFileSync(0, 'utf8'))
  const options = { host: address, localAddress: address, port: 4700, method, path, headers }
  const request = http.request(options, async (reply) => {
    let text = ''
    for await (const part of reply.setEncoding('utf8')) text += part
    console.log(JSON.stringify({ status: reply.statusCode, body: JSON.parse(text) }))
  })
  request.end(body)`

/** Starts an image like an engine: as process 1, as the image's user, with only the volume writable. */
async function startContainer(t: Test, root: string, volume: string, config: Body, env: Record<string, string>) {
  const user = ['setpriv', ...asUser(...((config.User as string).split(':') as [string, string]))]
  const environment = {
    ...Object.fromEntries((config.Env as string[]).map((line) => line.split(/=(.*)/s) as [string, string])),
    ...env
  }
  const script = `
    set -e
    ip link set lo up
    ip address add ${OUTSIDE}/32 dev lo
    mount --bind "$1" "$1"
    mount -t proc proc "$1/proc"
    mount --bind "$2" "$1/data"
    mount -o remount,bind,ro "$1"
    root=$1 folder=$3
    shift 3
    exec chroot "$root" env --chdir="$folder" "$@"`
  const asRoot = { ...plainEnvironment(), PATH }
  const assignments = (more: Record<string, string> = {}) =>
    Object.entries({ ...environment, ...more }).map(([name, value]) => `${name}=${value}`)
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child']
  const inside = [
    '/bin/sh',
    '-c',
    script,
    'sh',
    root,
    volume,
    config.WorkingDir as string,
    '-i',
    ...assignments(),
    ...user
  ]
  const { child, exited, seen } = runProgram(
    t,
    ['unshare', ...namespaces, ...inside, ...(config.Entrypoint as string[]), ...(config.Cmd as string[])],
    asRoot
  )
  await seen(/"msg":"listening on /)
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim())
  const enter = (args: readonly string[], input = '') => {
    const options = { input, env: asRoot, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
    const { status, stdout, stderr } = spawnSync('nsenter', ['--target', String(pid), ...args], options)
    return { code: status, output: stdout + stderr }
  }
  return {
    /** Of process 1, outside the container. */
    pid,
    exited,
    /** Runs a command in the container, as `docker exec` would. */
    exec: (command: readonly string[], extra?: Record<string, string>) => {
      const where = ['--mount', '--net', '--pid', '--root', '--wd']
      return enter([...where, 'env', '-i', ...assignments(extra), ...user, ...command])
    },
    /** Sends a request within the container's network. */
    call: (method: string, path: string, body?: unknown, headers: object = {}, address = '127.0.0.1') => {
      const request = {
        method,
        path,
        address,
        body: body === undefined ? '' : JSON.stringify(body),
        headers: {
          'x-api-key': 'container',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers
        }
      }
      const { code, output } = enter(['--net', process.execPath, '--eval', REQUEST], JSON.stringify(request))
      if (code !== 0) throw new Error(output)
      return JSON.parse(output) as { status: number; body: Body }
    },
    /** @returns milliseconds until it had ended */
    stop: async (signal: NodeJS.Signals) => {
      const begin = Date.now()
      process.kill(pid, signal)
      await exited
      return Date.now() - begin
    }
  }
}
