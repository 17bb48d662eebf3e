import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { OPTIONS } from '../../src/options.js'
import { type Body, pluck } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { run } from './tools.js'

/** A package with the schemas of Kubernetes. */
const MODELS = 'kubernetes-models@3.1.0'

const FOLDER = '../../examples/kustomize/'
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const kustomization: Body = parse(read(`${FOLDER}kustomization.yaml`))
const resources = (kustomization.resources as string[]).flatMap((file) =>
  parseAllDocuments(read(FOLDER + file)).map((document): Body => document.toJS())
)
const of = (kind: string) => resources.filter((resource) => resource.kind === kind)

const work = temporaryFolder(t)
writeFileSync(join(work, 'package.json'), '{"private":true}')
await run('npm', ['install', '--silent', '--no-audit', '--no-fund', MODELS], { cwd: work, minutes: 4 })
const load = createRequire(join(work, 'package.json'))
const schemas = load(join(work, 'node_modules/@kubernetes-models/validate/dist/ajv.js')) as {
  register: (id: string, schema: Readonly<Record<string, unknown>>) => void
}
const { register } = schemas
// Undeclared fields are refused, too.
schemas.register = (id, schema) =>
  register(id, schema['properties'] === undefined ? schema : { additionalProperties: false, ...schema })

/** @throws if a resource is not valid */
function validate(resource: Body): void {
  const { apiVersion, kind } = resource
  const models = load(`kubernetes-models/${apiVersion}/${kind}`) as Record<
    string,
    new (resource: object) => { validate: () => void }
  >
  new models[kind as string]!(resource as object).validate()
}

void t.test('each resource of the Kustomize base is valid in Kubernetes', async (t) => {
  t.strictSame(
    resources.map(({ kind, metadata: { name } }) => `${kind} ${name}`),
    [
      'StatefulSet instance',
      'Service instances',
      'Service instance-0',
      'Service instance-1',
      'Service instance-2',
      'Deployment svc-mock',
      'Service svc-mock'
    ]
  )
  for (const resource of resources) t.doesNotThrow(() => validate(resource), resource.metadata.name as string)
  const [{ spec, ...rest }] = of('StatefulSet') as [Body]
  t.throws(() => validate({ ...rest, spec: { ...spec, replica: 1 } }), /replica|additional/)
})

void t.test('the example of a single pod is valid in Kubernetes', async (t) => {
  const deployment = parse(read('../../examples/kubernetes.yaml'))
  const { template } = deployment.spec
  const labels = { app: 'svc-mock' }
  const pod = { selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } }
  const spec = { ...deployment.spec, ...pod }
  t.doesNotThrow(() => validate({ apiVersion: 'apps/v1', kind: 'Deployment', spec }))
})

void t.test('everything that the resources name exists', async (t) => {
  const workloads = [...of('StatefulSet'), ...of('Deployment')]
  const known: string[] = Object.values(OPTIONS).map(({ env }) => env)
  for (const { metadata, spec } of workloads) {
    const { template, volumeClaimTemplates = [] } = spec
    t.strictSame(spec.selector.matchLabels, template.metadata.labels, `${metadata.name} finds its pods`)
    t.equal(template.spec.enableServiceLinks, false, 'no SVC_MOCK_PORT because of the Service svc-mock')
    const volumes = (volumeClaimTemplates as Body[]).map(({ metadata: { name } }) => name as string)
    for (const { name, configMap } of (template.spec.volumes ?? []) as Body[]) {
      volumes.push(name as string)
      if (configMap !== undefined) t.match(kustomization.configMapGenerator, [{ name: configMap.name }])
    }
    for (const container of template.spec.containers as Body[]) {
      t.equal(container.securityContext.readOnlyRootFilesystem, true, `${container.image} has a read-only root`)
      t.strictSame(pluck(container.volumeMounts, 'name').sort(), volumes.sort(), 'volumes')
      for (const { name } of (container.env ?? []) as { name: string }[])
        t.ok(known.includes(name), `${name} is an option`)
    }
  }
  const pods = workloads.map(({ spec: { template } }) => template.metadata.labels)
  for (const { metadata, spec } of of('Service')) {
    const { 'statefulset.kubernetes.io/pod-name': pod, ...labels } = spec.selector
    if (pod === undefined) t.match(pods.filter((pod) => pod.app === labels.app).length, 1, metadata.name)
    else t.equal(pod, metadata.name, 'a Service for a pod has its name')
    t.match(spec.ports, [{ port: 4700 }])
  }
  t.match(kustomization.images, [{ name: 'svc-mock' }])
})

void t.test('nginx routes each credential to the same pod, as in the recipe for Compose', async (t) => {
  const [{ metadata, spec }] = of('StatefulSet') as [Body]
  const names = Array.from({ length: spec.replicas }, (_, index) => `${metadata.name}-${index}`)
  const services = of('Service')
  for (const name of names)
    t.ok(
      services.some((service) => service.metadata.name === name && service.spec.clusterIP === undefined),
      `${name} has an address that stays`
    )
  t.ok(services.some((service) => service.metadata.name === spec.serviceName && service.spec.clusterIP === 'None'))
  const config = read(`${FOLDER}nginx.conf`)
  t.strictSame(
    [...config.matchAll(/^ +server (\S+):4700 /gm)].map(([, name]) => name),
    names
  )
  // The instances of the Compose file count from 1.
  const renamed = read('../../docker/nginx.conf').replaceAll(
    /instance-(\d)/g,
    (_, count) => `instance-${Number(count) - 1}`
  )
  t.equal(config, renamed, 'they differ in the names only')
  t.strictSame(kustomization.configMapGenerator[0].files, ['nginx.conf'])
})
