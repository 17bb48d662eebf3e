import { createRequire } from 'node:module'
import type Swagger from '@fastify/swagger'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import type { AssumptionId } from '../interface/assumption-id.js'
import { ERRORS } from '../interface/errors.js'
import { assumed } from '../interface/schemas.js'
import { kept } from '../lib/kept.js'
import { VERSION } from '../lib/version.js'
import { EXAMPLES, type Examples, showExamples } from './examples.js'
import { NO_COMPILERS } from './no-compilers.js'
import {
  ASSUMED_STATUSES,
  BODY_PARAMETERS,
  isControl,
  MOVED_FIELDS,
  OPTIONAL_BODY,
  OTHER_TYPES,
  SOLE_TYPE
} from './operation.js'

const require = createRequire(import.meta.url)

type Json = Record<string, unknown>

/** One of the documents that the server publishes about itself. */
interface Document {
  readonly path: string
  /** Whether it describes the routes of a path. */
  readonly has: (url: string) => boolean
  readonly title: string
  readonly description: string
  readonly tags: readonly { name: string; description: string }[]
}

const INTERFACE: Document = {
  path: '/openapi.json',
  has: (url) => !isControl(url),
  title: 'svc-mock',
  description: `Reference server for the control plane of a cloud database service.

Everything with an \`x-assumption\` is an assumption of this server, because the interface that it mirrors does not
show it. The value is the id of the assumption, such as \`P-017\`; \`/_mock/assumptions\` lists them all.`,
  tags: [
    { name: 'Workgroups', description: 'Groups of workspaces and databases in one region.' },
    { name: 'Allow list', description: 'Addresses that may reach the workspaces of a workgroup.' },
    { name: 'Databases', description: 'Data that workspaces work on.' },
    { name: 'Workspaces', description: 'Database servers, with states that change over time.' },
    { name: 'Backups', description: 'Backups of a workspace, and jobs that restore them.' },
    { name: 'Schedules', description: 'When backups are made, and when a workspace is stopped, started or resized.' },
    { name: 'Database users', description: 'Users inside the database of a workspace.' },
    { name: 'Org users', description: 'Users of the org, and their roles.' }
  ]
}

const CONTROL: Document = {
  path: '/_mock/openapi.json',
  has: isControl,
  title: 'svc-mock control API',
  description: `Controls the mock in tests. Every call acts on the sandbox of its credential.

Unknown fields in a body or query are refused.`,
  tags: [
    { name: 'Clock', description: "The sandbox's time." },
    { name: 'Simulation', description: 'Scheduled events, the timeline, transition rules and quotas.' },
    { name: 'Requests', description: 'The recorded requests, their effects, and a review of the client.' },
    { name: 'Coverage', description: 'How much of the interface was exercised.' },
    { name: 'Faults', description: 'Faults injected into requests.' },
    { name: 'Workspaces', description: 'Operations on a workspace that the interface lacks.' },
    { name: 'State', description: 'The sandbox as a whole: export, import, reset, snapshots and forks.' },
    { name: 'Watching', description: 'For consoles and dashboards: a summary of the sandbox, and a stream of events.' }
  ]
}

/**
 * Publishes the OpenAPI documents of the routes registered after this call: the interface, and the control API. Each is
 * built on first request, because that takes nearly as long as startup.
 * @param complete adds the names and fields of the profile to the document of the interface
 */
export function publishOpenApi(app: FastifyInstance, complete: (document: unknown) => unknown): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.schema?.hide !== true)
      routes.push({ ...route, url: route.config?.shownUrl ?? route.url })
  })
  publish(INTERFACE, complete)
  publish(CONTROL, (described) => described)

  function publish(document: Document, complete: (described: unknown) => unknown): void {
    const text = kept(async () => {
      const own = routes.filter(({ url }) => document.has(url))
      return JSON.stringify(complete(await describe(document, own, app.getSchemas())), null, 2)
    })
    app.get(document.path, { schema: { hide: true } }, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await text())
    )
  }
}

/** Describes routes with an application that does nothing else. */
async function describe(
  { title, description, tags, has }: Document,
  routes: readonly RouteOptions[],
  schemas: Readonly<Record<string, unknown>>
): Promise<unknown> {
  const swagger = require('@fastify/swagger') as typeof Swagger
  const app = Fastify({ exposeHeadRoutes: false, schemaController: NO_COMPILERS })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, description, version: VERSION, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/', description: 'This server.' }],
      tags: [...tags],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'An API key; it names the sandbox.',
            ...SCHEME_ASSUMPTION
          },
          session: {
            type: 'http',
            scheme: 'bearer',
            description: "An org user's session; it names the sandbox.",
            ...SCHEME_ASSUMPTION
          },
          ...(has === isControl && {
            [MOCK_TOKEN]: {
              type: 'apiKey',
              in: 'header',
              name: 'X-Mock-Token',
              description: 'The token of --control-token, if the server has one.'
            }
          })
        }
      }
    },
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
    transformObject
  } as FastifyDynamicSwaggerOptions)
  for (const schema of Object.values(schemas)) app.addSchema(schema)
  for (const { method, url, schema = {} } of routes) app.route({ method, url, schema, handler: () => undefined })
  await app.ready()
  return app.swagger()
}

const MOCK_TOKEN = 'mockToken'

const SCHEME_ASSUMPTION = assumed('P-066') as object

/** The assumption behind a status that the interface does not declare: that of its condition, if it has only one. */
function assumptionOf(status: number): AssumptionId {
  const [condition, other] = Object.values(ERRORS).filter((error) => error.status === status)
  return condition === undefined || other !== undefined ? 'P-177' : condition.id
}

/** Adds details that route schemas cannot express, and removes unused named schemas. */
const transformObject: FastifyDynamicSwaggerOptions['transformObject'] = (document) => {
  const { openapiObject } = document as unknown as {
    openapiObject: { paths: Record<string, Record<string, Json>>; components: { schemas: Json; securitySchemes: Json } }
  }
  for (const operation of Object.values(openapiObject.paths).flatMap((item) => Object.values(item))) {
    const responses = operation['responses'] as Record<string, Json>
    for (const status of operation[ASSUMED_STATUSES] as number[])
      Object.assign(responses[status]!, assumed(assumptionOf(status)))
    if (operation[OPTIONAL_BODY] === true) (operation['requestBody'] as Json)['required'] = false
    for (const type of (operation[OTHER_TYPES] ?? []) as string[])
      (responses['200']!['content'] as Json)[type] = { schema: { type: 'string' } }
    if (typeof operation[SOLE_TYPE] === 'string')
      responses['200']!['content'] = { [operation[SOLE_TYPE]]: { schema: { type: 'string' } } }
    showExamples({ requestBody: operation['requestBody'] as Json, responses }, operation[EXAMPLES] as Examples)
    moveFields(operation, openapiObject.components.schemas)
    for (const own of [
      ASSUMED_STATUSES,
      BODY_PARAMETERS,
      EXAMPLES,
      MOVED_FIELDS,
      OPTIONAL_BODY,
      OTHER_TYPES,
      SOLE_TYPE
    ])
      Reflect.deleteProperty(operation, own)
    if (MOCK_TOKEN in openapiObject.components.securitySchemes) {
      operation['security'] = (operation['security'] as Json[]).flatMap((scheme) => [
        scheme,
        { ...scheme, [MOCK_TOKEN]: [] }
      ])
    }
  }
  const { schemas } = openapiObject.components
  const needed = referredTo(openapiObject.paths, schemas)
  for (const name of Object.keys(schemas)) if (!needed.has(name)) Reflect.deleteProperty(schemas, name)
  return openapiObject
}

interface Body {
  readonly content: {
    readonly 'application/json': { schema: Json; readonly examples: Readonly<Record<string, { value: object }>> }
  }
}

/** Describes the body of an operation whose path has fields of it, or whose body has parameters of the path. */
function moveFields(operation: Json, schemas: Json): void {
  const added = (operation[BODY_PARAMETERS] ?? {}) as Record<string, { readonly examples: readonly string[] }>
  const moved = (operation[MOVED_FIELDS] ?? []) as string[]
  const body = operation['requestBody'] as Body | undefined
  if (body === undefined || Object.keys(added).length + moved.length === 0) return
  const media = body.content['application/json']
  const isLeft = (name: string) => !moved.includes(name)
  media.schema = withFields(media.schema, isLeft, added, schemas)
  for (const example of Object.values(media.examples)) {
    const given = Object.entries(added).map(([name, { examples }]) => [name, examples[0]] as const)
    const left = Object.entries(example.value).filter(([name]) => isLeft(name))
    example.value = Object.fromEntries([...left, ...given])
  }
  if (!hasFields(media.schema)) Reflect.deleteProperty(operation, 'requestBody')
}

/** A schema without the fields that are not left, and with others, in each part: a part can refuse unknown fields. */
function withFields(schema: Json, isLeft: (name: string) => boolean, added: Json, schemas: Json): Json {
  const own = (schemas[String(schema['$ref']).replace(/^.*\//, '')] ?? schema) as Json
  const changed = { ...own }
  for (const [keyword, parts] of partsOf(own))
    changed[keyword] = parts.map((part) => withFields(part, isLeft, added, schemas))
  const required = ((own['required'] ?? []) as string[]).filter(isLeft)
  if (own['properties'] !== undefined) {
    const left = Object.entries(own['properties'] as Json).filter(([name]) => isLeft(name))
    changed['properties'] = { ...Object.fromEntries(left), ...added }
    changed['required'] = [...new Set([...required, ...Object.keys(added)])]
  } else if (own['required'] !== undefined) changed['required'] = required
  return changed
}

const partsOf = (schema: Json) =>
  Object.entries(schema).filter((entry): entry is [string, Json[]] => ['allOf', 'anyOf'].includes(entry[0]))

const hasFields = (schema: Json): boolean =>
  Object.keys(schema['properties'] ?? {}).length > 0 || partsOf(schema).some(([, members]) => members.some(hasFields))

/** The names of the schemas that a part of a document refers to, directly or indirectly. */
function referredTo(part: unknown, schemas: Json, found = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name!)) continue
    found.add(name!)
    referredTo(schemas[name!], schemas, found)
  }
  return found
}
