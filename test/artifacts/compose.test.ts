import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { parse } from 'yaml'
import { OPTIONS } from '../../src/options.js'
import type { Body } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { run } from './tools.js'

/** A package with the schema of the Compose Specification. */
const LINTER = 'dclint@3.1.0'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

// `merge` supports `<<`, as Compose does.
const compose = (file: string) =>
  parse(read(`../../docker/${file}`), { merge: true }) as Record<'services' | 'volumes', Record<string, Body>>

const work = temporaryFolder(t)
writeFileSync(join(work, 'package.json'), '{"private":true}')
await run('npm', ['install', '--silent', '--no-audit', '--no-fund', LINTER], { cwd: work, minutes: 4 })
const { $schema: _, ...schema } = JSON.parse(
  readFileSync(join(work, 'node_modules/dclint/schemas/compose.schema.json'), 'utf8')
) as Record<string, unknown>
const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)

for (const file of ['compose.yaml', 'compose.scale.yaml']) {
  void t.test(`docker/${file} follows the Compose Specification`, async (t) => {
    t.ok(validate(compose(file)), JSON.stringify(validate.errors))
  })

  void t.test(`everything that docker/${file} names exists`, async (t) => {
    const { services, volumes } = compose(file)
    const used = new Set<string>()
    for (const [name, service] of Object.entries(services)) {
      t.equal(service.read_only, true, `${name} has a read-only root`)
      for (const other of Object.keys((service.depends_on ?? {}) as object))
        t.ok(services[other]?.healthcheck?.test, `${other} says when it is healthy`)
      for (const volume of (service.volumes ?? []) as string[]) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) t.ok(existsSync(new URL(`../../docker/${source}`, import.meta.url)), source)
        else used.add(source)
      }
      for (const port of (service.ports ?? []) as string[])
        t.match(port, /^127\.0\.0\.1:/, 'published for this machine only: the control API is open')
      const known: string[] = Object.values(OPTIONS).map(({ env }) => env)
      for (const variable of Object.keys((service.environment ?? {}) as object)) {
        if (variable.startsWith('SVC_MOCK_')) t.ok(known.includes(variable), `${variable} is an option`)
      }
    }
    t.strictSame([...used].sort(), Object.keys(volumes).sort(), 'volumes')
  })
}

void t.test('the example starts only with its profile', async (t) => {
  t.strictSame(compose('compose.yaml').services['example']?.profiles, ['examples'])
  t.strictSame(compose('compose.yaml').services['svc-mock']?.profiles, undefined)
})

void t.test(
  'each instance of docker/compose.scale.yaml is one of docker/nginx.conf, with a volume of its own, and ' +
    'believes nginx alone',
  async (t) => {
    const { 'svc-mock': proxy, ...instances } = compose('compose.scale.yaml').services
    const servers = [...read('../../docker/nginx.conf').matchAll(/^ *server (\S+):4700 max_fails=0;$/gm)].map(
      ([, name]) => name
    )
    t.strictSame(servers, Object.keys(instances))
    t.equal(
      new Set(Object.values(instances).map(({ volumes }) => (volumes as string[]).join())).size,
      servers.length,
      'volumes'
    )
    for (const { environment } of Object.values(instances))
      t.equal(environment.SVC_MOCK_TRUST_PROXY, proxy.networks.mock.ipv4_address)
  }
)
