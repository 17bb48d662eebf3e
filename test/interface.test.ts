import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { OPERATION_IDS } from '../src/interface/operation-ids.js'
import { type Body, buildMock } from './helper.js'
import { type InterfaceOperation, publishedId, readOperations, routesOf } from './operations.js'

const BASE = '/base'

/** The description of a running server by itself, below its base path. */
interface Served {
  readonly paths: Record<string, Record<string, Body>>
  readonly routes: readonly string[]
}

void t.test('docs/interface.md lists each operation of the code once', async (t) => {
  const operations = readOperations().sort((a, b) => a.number - b.number)
  t.strictSame(
    operations.map(({ number, operationId }) => [number, operationId]),
    OPERATION_IDS.map((operationId, index) => [index + 1, operationId]),
    'its rows, by number, have the ids of src/interface/operation-ids.ts'
  )
  const shared = [...routesOf(operations).values()].filter(({ length }) => length > 1)
  t.strictSame(
    shared.map((group) => group.map(({ number }) => number)),
    [[22, 35, 36]]
  )
})

void t.test('docs/interface.md, the routes and the OpenAPI document agree', async (t) => {
  t.strictSame(differences(readOperations(), await readServed(t)), [])
})

async function readServed(t: Parameters<typeof buildMock>[0]): Promise<Served> {
  const { app } = await buildMock(t, { basePath: BASE })
  const { paths } = (await app.inject('/openapi.json')).json()
  return {
    paths: Object.fromEntries(
      Object.entries(paths as Served['paths']).map(([path, item]) => [path.replace(BASE, ''), item])
    ),
    routes: await listRoutes(app)
  }
}

/**
 * Every route under the base path. The paths come from the router, and the methods from the reply to a wrong method,
 * because the router has routes for those, too.
 */
async function listRoutes(app: FastifyInstance): Promise<string[]> {
  const parents: string[] = []
  const routes: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, segment] = /^([│ ]*)[├└]── (\S+)/.exec(line) ?? []
    if (indent === undefined || segment === undefined) continue
    const depth = indent.length / 4
    parents.splice(depth, parents.length, segment)
    const url = parents.join('')
    if (!url.startsWith(`${BASE}/`)) continue
    const { statusCode, headers } = await app.inject({ method: 'PATCH', url })
    if (statusCode !== 405) throw new Error(`PATCH ${url} is a ${statusCode}`)
    const path = url.slice(BASE.length).replaceAll(/:(\w+)/g, '{$1}')
    const methods = String(headers.allow)
      .split(', ')
      .filter((method) => method !== 'HEAD')
    routes.push(...methods.map((method) => `${method.toLowerCase()} ${path}`))
  }
  return routes
}

/** The differences between the table and the server. */
function differences(operations: readonly InterfaceOperation[], { paths, routes }: Served): string[] {
  const table = routesOf(operations)
  const published = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`)
  )
  return [
    ...[...table.keys()]
      .filter((route) => !published.includes(route))
      .map((route) => `${route} is not in the OpenAPI document`),
    ...published
      .filter((route) => !table.has(route))
      .map((route) => `${route} is in the OpenAPI document but not in the table`),
    ...[...table.keys()].filter((route) => !routes.includes(route)).map((route) => `${route} is not served`),
    ...routes.filter((route) => !table.has(route)).map((route) => `${route} is served but not in the table`),
    ...[...table].flatMap(([route, group]) => {
      const [method = '', path = ''] = route.split(' ')
      const operation = paths[path]?.[method]
      return operation === undefined ? [] : differencesOf(group, operation)
    })
  ]
}

/** The differences between the operations of a route and the published one. */
function differencesOf(group: readonly InterfaceOperation[], published: Body): string[] {
  const id = publishedId(group)
  const found: string[] = []
  if (published.operationId !== id) found.push(`${id} is ${published.operationId} in the OpenAPI document`)

  const list = (names: readonly (string | undefined)[]) =>
    [...new Set(names.filter((name) => name !== undefined))].sort().join(', ') || 'none'
  const body = list(group.map(({ body }) => body))
  const publishedBody = list(bodiesOf(published.requestBody?.content['application/json'].schema))
  if (body !== publishedBody) found.push(`${id}: the body ${body} is ${publishedBody} in the OpenAPI document`)

  const results = list(
    group.map(({ result, isArray, isBare }) => result && `${isBare ? 'bare ' : ''}${result}${isArray ? '[]' : ''}`)
  )
  const publishedResult = resultOf(published.responses)
  if (results !== publishedResult)
    found.push(`${id}: the result ${results} is ${publishedResult} in the OpenAPI document`)

  const statuses = [...new Set(group.flatMap(({ declared }) => declared))].sort((a, b) => a - b).join(', ')
  const publishedStatuses = Object.keys(published.responses as object)
    .filter((status) => published.responses[status]['x-assumption'] === undefined)
    .join(', ')
  if (statuses !== publishedStatuses)
    found.push(`${id}: the declared statuses ${statuses} are ${publishedStatuses} in the OpenAPI document`)
  return found
}

/** Names of the schemas of a body or its alternatives. */
function bodiesOf(schema: Body): (string | undefined)[] {
  if (schema === undefined) return []
  return [nameOf(schema), ...[...(schema.allOf ?? []), ...(schema.anyOf ?? [])].map(nameOf)]
}

function resultOf(responses: Body): string {
  const schema = responses[200]?.content['application/json'].schema
  if (schema === undefined || nameOf(schema) === 'middleware.Response') return 'none'
  const published = schema.properties?.Result
  // One of the operations that share a path has no result.
  const result = published?.anyOf?.[0] ?? published
  if (result === undefined) return `bare ${nameOf(schema)}`
  return result.type === 'array' ? `${nameOf(result.items)}[]` : (nameOf(result) ?? String(result.type))
}

const nameOf = (schema: Body) => /^#\/components\/schemas\/(.+)$/.exec(schema.$ref as string)?.[1]
