import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { startMock } from '../../src/node/index.js'
import { OPTIONS } from '../../src/options.js'
import { read } from '../doc-parts.js'
import { MAIN } from '../helper.js'
import { lacks, plainEnvironment } from '../programs.js'
import { exampleFiles, lacksPytest, pytest } from './python.js'

const PAGE = 'docs/containers.md'
const FOLDER = 'examples/testcontainers'
const NODE = 'svc-mock.test.mjs'
const JAVA = 'SvcMockTest.java'
const PYTHON = 'conftest.py'
const NODE_MODULE = 'clients/testcontainers'
const PYTHON_MODULE = 'clients/python/svc_mock/containers.py'
const STARTERS = [`${NODE_MODULE}/index.js`, `${FOLDER}/${JAVA}`, PYTHON_MODULE]

const run = promisify(execFile)
const recipe = (name: string) => read(`${FOLDER}/${name}`)
const filesOf = (folder: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, read(`${folder}/${name}`)]))

for (const name of STARTERS) {
  void t.test(`everything that ${name} names exists`, async (t) => {
    await using mock = await startMock({ controlToken: 'let-me-in' })
    const text = read(name)
    const [, port] = /^EXPOSE (\d+)$/m.exec(read('Dockerfile'))!
    const [, constant] = /\bPORT = (\d+)$/m.exec(text) ?? []
    const ports = [...text.matchAll(/(?:[Pp]orts?|Strategy)\((\d+|PORT)|ready', (\d+|PORT)\)/g)]
    t.equal(ports.length, 3, 'it exposes a port, waits for it, and asks where it is')
    for (const [call, first, second = first] of ports) t.equal(second === 'PORT' ? constant : second, port, call)

    const [, path] = /["'](\/_mock\/\w+)["'][^]*?(?:StatusCode|status_code)\(200\)/.exec(text)!
    const reply = await fetch(new URL(path!, mock.url))
    t.equal(reply.status, 200, 'it waits for a reply that needs neither a key nor the token')

    const variables: string[] = Object.values(OPTIONS).map(({ env }) => env)
    const named = text.match(/SVC_MOCK_\w+/g) ?? []
    t.strictSame(named, ['SVC_MOCK_CONTROL_TOKEN'])
    for (const variable of [...named, ...(read(PAGE).match(/SVC_MOCK_\w+/g) ?? [])])
      t.ok(variables.includes(variable), `${variable} is an option`)

    const [, image] = /(?:Container<>\(|image(?:: str)? = )["']([\w-]+)["']/.exec(text)!
    t.match(read(PAGE), `docker build --tag ${image} --build-arg VERSION=0.1.0 .\n`)
  })
}

void t.test(`${FOLDER}/${JAVA} can be read`, { skip: lacks('javac') }, async (t) => {
  // Without its libraries, only the syntax can be checked.
  const onlySyntax = ['-XDshould-stop.ifNoError=PARSE', '-proc:none']
  const folder = t.testdir({ [JAVA]: recipe(JAVA), 'Wrong.java': 'class Wrong { int 1 }' })
  const options = { cwd: folder, env: plainEnvironment() }
  await t.resolves(run('javac', [...onlySyntax, JAVA], options))
  await t.rejects(run('javac', [...onlySyntax, 'Wrong.java'], options), 'a mistake is seen')
})

// A stand-in for Testcontainers, with a server on this machine instead of the container.

const NODE_STAND_IN = `
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const Wait = { forHttp: (path, port) => ({ forStatusCode: (status) => ({ path, port, status }) }) }

export class GenericContainer {
  withExposedPorts(port) {
    this.port = port
    return this
  }
  withEnvironment(variables) {
    this.variables = variables
    return this
  }
  withWaitStrategy(wait) {
    this.wait = wait
    return this
  }
  async start() {
    const env = { ...process.env, ...this.variables }
    const server = spawn(process.execPath, [process.env.MAIN, 'serve', '--port', '0', '--db', ':memory:'], { env })
    const [first] = await once(server.stdout, 'data')
    const { hostname, port, href } = new URL(JSON.parse(String(first).split('\\n')[0]).url)
    if (this.wait.port !== this.port) throw new Error('it waits at a port that is not exposed')
    const { status } = await fetch(new URL(this.wait.path, href))
    if (status !== this.wait.status) throw new Error('it is not ready: ' + status)
    return {
      getHost: () => hostname,
      getMappedPort: (exposed) => (exposed === this.port ? port : undefined),
      stop: async () => server.kill()
    }
  }
}

export class AbstractStartedContainer {
  constructor(started) {
    Object.assign(this, started)
  }
}
`

void t.test(`${FOLDER}/${NODE} passes, with a stand-in for the container`, async (t) => {
  const folder = t.testdir({
    [NODE]: recipe(NODE),
    node_modules: {
      testcontainers: { 'package.json': '{"type": "module", "exports": "./index.js"}', 'index.js': NODE_STAND_IN },
      '@svc-mock': { testcontainers: filesOf(NODE_MODULE, ['package.json', 'index.js']) },
      'svc-mock': t.fixture('symlink', fileURLToPath(new URL('../..', import.meta.url)))
    }
  })
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', NODE], {
    cwd: folder,
    env: { ...plainEnvironment(), MAIN }
  })
  t.match(stdout, /^# pass 1$/m)
  t.match(stdout, /^# fail 0$/m)
})

const CONTAINER_STAND_IN = `
from urllib.parse import urlsplit

from svc_mock import Mock


class DockerContainer:
    def __init__(self, image):
        assert image == "svc-mock"
        self.variables = {}

    def with_exposed_ports(self, port):
        self.port = port
        return self

    def with_env(self, name, value):
        self.variables[name] = value
        return self

    def waiting_for(self, wait):
        self.wait = wait
        return self

    def __enter__(self):
        self.server = Mock(token=self.variables["SVC_MOCK_CONTROL_TOKEN"])
        assert (self.wait.port, self.wait.status) == (self.port, 200)
        self.server.request("GET", self.wait.path)
        return self

    def __exit__(self, *_):
        self.server.close()

    def get_container_host_ip(self):
        return urlsplit(self.server.url).hostname

    def get_exposed_port(self, port):
        assert port == self.port
        return urlsplit(self.server.url).port
`
const WAIT_STAND_IN = `
class HttpWaitStrategy:
    def __init__(self, port, path):
        self.port, self.path = port, path

    def for_status_code(self, status):
        self.status = status
        return self
`

void t.test(`${FOLDER}/${PYTHON} serves tests, with a stand-in for the container`, { skip: lacksPytest }, async (t) => {
  const folder = t.testdir({
    ...exampleFiles(),
    [PYTHON]: recipe(PYTHON),
    testcontainers: {
      '__init__.py': '',
      core: { '__init__.py': '', 'container.py': CONTAINER_STAND_IN, 'wait_strategies.py': WAIT_STAND_IN }
    }
  })
  const env = { SVC_MOCK_COMMAND: `'${process.execPath}' '${MAIN}'` }
  const { isSuccess, output } = await pytest(folder, env, '-W', 'error')
  t.ok(isSuccess, output)
  t.match(output, /1 passed/)
})
