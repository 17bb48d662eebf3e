import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { OPTIONS } from '../../src/options.js'

// kubernetes-schemas.json is made from the OpenAPI document of Kubernetes (Apache License 2.0) in the npm package
// kubernetes-models 3.1.0, without descriptions, and without undeclared fields.

const FOLDER = '../../examples/kustomize/'
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

type Labels = Readonly<Record<string, string>>

/** The part of a resource that these tests read. */
interface Resource {
  readonly apiVersion: string
  readonly kind: 'StatefulSet' | 'Deployment' | 'Service'
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly clusterIP?: string
    readonly selector: Labels & { readonly matchLabels: Labels }
    readonly ports?: readonly { readonly port: number }[]
    readonly replicas?: number
    readonly serviceName?: string
    readonly template: Template
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
  }
}
interface Template {
  readonly metadata: { readonly labels: Labels }
  readonly spec: {
    readonly enableServiceLinks: boolean
    readonly containers: readonly {
      readonly image: string
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
      readonly env?: readonly { readonly name: string }[]
      readonly securityContext: { readonly readOnlyRootFilesystem: boolean }
      readonly volumeMounts: readonly { readonly name: string }[]
    }[]
    readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[]
  }
}

const kustomization = parse(read(`${FOLDER}kustomization.yaml`)) as {
  readonly resources: readonly string[]
  readonly configMapGenerator: readonly { readonly name: string; readonly files: readonly string[] }[]
  readonly images: readonly { readonly name: string }[]
}
const resources = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read(FOLDER + file)).map((document) => document.toJS() as Resource)
)
const of = (kind: Resource['kind']) => resources.filter((resource) => resource.kind === kind)

const IDS = { StatefulSet: 'apps.v1.StatefulSet', Deployment: 'apps.v1.Deployment', Service: 'core.v1.Service' }
const schemas = JSON.parse(read('kubernetes-schemas.json')) as { definitions: Record<string, object> }
const ajv = new Ajv({ strict: false, allErrors: true })
const validatorOf = (kind: Resource['kind']) =>
  ajv.compile({ ...schemas, $ref: `#/definitions/io.k8s.api.${IDS[kind]}` })

void t.test('each resource of the Kustomize base is valid in Kubernetes', (t) => {
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
  for (const resource of resources) {
    const validate = validatorOf(resource.kind)
    t.ok(validate(resource), `${resource.metadata.name}: ${JSON.stringify(validate.errors)}`)
  }
  t.end()
})

void t.test('the example of a single pod is valid in Kubernetes', (t) => {
  const deployment = parse(read('../../examples/kubernetes.yaml')) as { spec: { template: object } }
  const { template } = deployment.spec
  const labels = { app: 'svc-mock' }
  const validate = validatorOf('Deployment')
  const whole = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: { ...deployment.spec, selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } }
  }
  t.ok(validate(whole), JSON.stringify(validate.errors))
  t.end()
})

void t.test('everything that the resources name exists', (t) => {
  const workloads = [...of('StatefulSet'), ...of('Deployment')]
  const known: string[] = Object.values(OPTIONS).map(({ env }) => env)
  for (const { metadata, spec } of workloads) {
    const { template, volumeClaimTemplates = [] } = spec
    t.strictSame(spec.selector.matchLabels, template.metadata.labels, `${metadata.name} finds its pods`)
    t.equal(template.spec.enableServiceLinks, false, 'no SVC_MOCK_PORT because of the Service svc-mock')
    const volumes = [...volumeClaimTemplates.map(({ metadata: { name } }) => name)]
    for (const { name, configMap } of template.spec.volumes ?? []) {
      volumes.push(name)
      if (configMap !== undefined) t.match(kustomization.configMapGenerator, [{ name: configMap.name }])
    }
    for (const container of template.spec.containers) {
      t.equal(container.securityContext.readOnlyRootFilesystem, true, `${container.image} has a read-only root`)
      t.strictSame(container.volumeMounts.map(({ name }) => name).sort(), volumes.sort(), 'volumes')
      for (const { name } of container.env ?? []) t.ok(known.includes(name), `${name} is an option`)
    }
  }
  const pods = workloads.map(({ spec: { template } }) => template.metadata.labels)
  for (const { metadata, spec } of of('Service')) {
    const { 'statefulset.kubernetes.io/pod-name': pod, ...labels }: Labels = spec.selector
    if (pod === undefined) t.match(pods.filter((pod) => pod['app'] === labels['app']).length, 1, metadata.name)
    else t.equal(pod, metadata.name, 'a Service for a pod has its name')
    t.match(spec.ports, [{ port: 4700 }])
  }
  t.match(kustomization.images, [{ name: 'svc-mock' }])
  t.end()
})

void t.test('nginx routes each credential to the same pod, as in the recipe for Compose', (t) => {
  const [{ metadata, spec }] = of('StatefulSet') as [Resource]
  const names = Array.from({ length: spec.replicas! }, (_, index) => `${metadata.name}-${index}`)
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
  t.strictSame(kustomization.configMapGenerator[0]?.files, ['nginx.conf'])
  t.end()
})
