import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { OPERATION_IDS } from '../src/interface/operation-ids.js'
import { type Body, buildMock } from './helper.js'
import { type InterfaceOperation, publishedId, readOperations, routesOf } from './operations.js'

const BASE = '/base'

void t.test('docs/interface.md lists each operation of the code once', async (t) => {
  const operations = readOperations().sort((a, b) => a.number - b.number)
  t.strictSame(
    operations.map(({ number, operationId }) => [number, operationId]),
    OPERATION_IDS.map((operationId, index) => [index + 1, operationId]),
    'its rows, by number, have the ids of src/interface/operation-ids.ts'
  )
  const shared = [...routesOf(operations).values()].filter(({ length }) => length > 1)
  const numbers = shared.map((group) => group.map(({ number }) => number))
  t.strictSame(numbers, [[22, 35, 36]])
})

/** How a route is described, by the table or by the OpenAPI document. */
interface Described {
  readonly id: string
  readonly bodies: readonly string[]
  readonly results: readonly string[]
  readonly statuses: readonly number[]
}

const sorted = <T extends string | number>(values: readonly (T | undefined)[]): T[] =>
  [...new Set(values.filter((value) => value !== undefined))].sort()

void t.test('docs/interface.md, the routes and the OpenAPI document agree', async (t) => {
  const { app } = await buildMock(t, { basePath: BASE })
  const { paths } = (await app.inject('/openapi.json')).json<{ paths: Record<string, Record<string, Body>> }>()
  const table = Array.from(routesOf(readOperations()), ([route, group]) => [route, describe(group)] as const)
  const published = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path.replace(BASE, '')}`, read(operation)] as const)
  )
  t.strictSame(Object.fromEntries(published), Object.fromEntries(table))
  t.strictSame(sorted(await listRoutes(app)), sorted(table.map(([route]) => route)))
})

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

const describe = (group: readonly InterfaceOperation[]): Described => ({
  id: publishedId(group),
  bodies: sorted(group.map(({ body }) => body)),
  results: sorted(
    group.map(({ result, isArray, isBare }) => result && `${isBare ? 'bare ' : ''}${result}${isArray ? '[]' : ''}`)
  ),
  statuses: sorted(group.flatMap(({ declared }) => declared))
})

function read({ operationId, requestBody, responses }: Body): Described {
  const body = requestBody?.content['application/json'].schema ?? {}
  return {
    id: operationId,
    bodies: sorted([body, ...(body.allOf ?? []), ...(body.anyOf ?? [])].map(nameOf)),
    results: sorted([resultOf(responses)]),
    statuses: Object.keys(responses as object)
      .filter((status) => responses[status]['x-assumption'] === undefined)
      .map(Number)
  }
}

function resultOf(responses: Body): string | undefined {
  const schema = responses[200]?.content['application/json'].schema
  if (schema === undefined || nameOf(schema) === 'middleware.Response') return undefined
  const published = schema.properties?.Result
  // One of the operations that share a path has no result.
  const result = published?.anyOf?.[0] ?? published
  if (result === undefined) return `bare ${nameOf(schema)}`
  return result.type === 'array' ? `${nameOf(result.items)}[]` : (nameOf(result) ?? String(result.type))
}

const nameOf = (schema: Body) => /^#\/components\/schemas\/(.+)$/.exec(schema.$ref as string)?.[1]
