import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyPluginCallback, preSerializationHookHandler, RouteOptions } from 'fastify'
import { envelope, type Success } from '../interface/envelope.js'
import { valueAt } from '../lib/json.js'
import { fillPath } from '../profile/path-template.js'
import type { Moves, OperationPath } from '../profile/routes.js'
import { type Example, EXAMPLES, type Examples } from './examples.js'
import { routerName } from './hooks/complete-requests.js'
import { BODY_PARAMETERS, MOVED_FIELDS } from './operation.js'

/** The parts of a route's schema that this module changes. */
interface RouteSchema {
  readonly operationId: string
  readonly params?: { readonly properties: Readonly<Record<string, TSchema>> }
  readonly querystring?: { readonly properties: Readonly<Record<string, TSchema>> }
  readonly response: Readonly<Record<string, TSchema>>
  readonly [EXAMPLES]: Examples
}

const METHODS = ['get', 'post', 'put', 'delete'] as const

/**
 * Stands in for an application: puts the operations of plugins registered here at the paths that a profile has for
 * them. The paths of an operation share its handler, and the router knows their parameters by the operation's names.
 * @param fieldOf returns the built-in name of a field of the body
 */
export function placeRoutes<App extends FastifyInstance>(
  api: App,
  paths: readonly OperationPath[],
  fieldOf: (name: string) => string
): Pick<App, 'register'> {
  /** Number of paths by operation. */
  const placed = new Map<string, number>()

  return { register } as unknown as Pick<App, 'register'>

  function register(plugin: FastifyPluginCallback, options: { prefix?: string }): void {
    for (const route of routesOf(plugin, options)) {
      const { operationId, operationIds = [operationId!] } = route.config!
      for (const path of paths) if (operationIds.includes(path.operations[0]!)) api.route(routeAt(route, path))
    }
  }

  function routeAt(
    collected: RouteOptions,
    { operations, method, path, parameters, moves, isParsed, isBuiltIn }: OperationPath
  ) {
    const route = { ...collected, ...collected.config!.routeOf?.(operations) }
    const schema = route.schema as unknown as RouteSchema
    const url = isBuiltIn ? route.url : fillPath(path.text, (index) => `:${routerName(parameters[index]!)}`)
    const shown = isBuiltIn ? url : fillPath(path.text, (_, name) => `:${name}`)
    return {
      ...route,
      method,
      url,
      config: { ...route.config, shownUrl: `${api.prefix}${shown}`, moves },
      schema: {
        ...schema,
        operationId: uniqueId(schema.operationId),
        ...(isBuiltIn ? {} : { params: shownParameters(schema, path.parameters, parameters) }),
        ...shownQuery(schema, moves),
        ...shownBody(schema, moves, fieldOf),
        ...(isParsed ? parsed(schema, route.config!.textOf!) : {})
      },
      ...(isParsed ? { preSerialization: sendParsed } : {})
    } as RouteOptions
  }

  /** In an OpenAPI document, no two paths may have the same operationId. */
  function uniqueId(operationId: string): string {
    const count = (placed.get(operationId) ?? 0) + 1
    placed.set(operationId, count)
    return count === 1 ? operationId : `${operationId}${count}`
  }
}

/** Collects the routes that a plugin adds. */
function routesOf(plugin: FastifyPluginCallback, options: { prefix?: string }): RouteOptions[] {
  const routes: RouteOptions[] = []
  const { prefix = '' } = options
  const collector = Object.fromEntries(
    METHODS.map((method) => [
      method,
      (path: string, route: object, handler: RouteOptions['handler']) => {
        routes.push({ ...route, method: method.toUpperCase(), url: `${prefix}${path}`, handler })
      }
    ])
  )
  plugin(collector as unknown as FastifyInstance, options, () => undefined)
  return routes
}

/** The parameters by the path's own names, for the OpenAPI document. */
function shownParameters(
  { params, [EXAMPLES]: own }: RouteSchema,
  names: readonly string[],
  parameters: readonly string[]
): TSchema {
  const properties = names.map((name, index) => {
    const parameter = parameters[index]!
    const description = parameter.startsWith('unused.') ? 'Not used.' : `The same as \`${parameter}\`.`
    const examples = Object.values(own).flatMap(({ body }) => valueAt({ body }, parameter.split('.')) ?? [])
    const shown = { description, ...(examples.length > 0 && { examples }) }
    return [name, params?.properties[parameter] ?? Type.String(shown)] as const
  })
  return Type.Object(Object.fromEntries(properties))
}

/** The parameters that are in the query or the body instead of the path: their names there, and their schemas. */
const movedTo = (source: 'query' | 'body', { params }: RouteSchema, moves: Moves | undefined) =>
  [...(moves?.from ?? [])].flatMap(([parameter, place]) =>
    place.source === source ? [[place.name, params!.properties[parameter]!] as const] : []
  )

/** The parameters in the query, for the OpenAPI document. */
function shownQuery(schema: RouteSchema, moves: Moves | undefined) {
  const moved = movedTo('query', schema, moves)
  const properties = { ...schema.querystring?.properties, ...Object.fromEntries(moved) }
  return moved.length === 0 ? {} : { querystring: Type.Object(properties) }
}

/** The parameters in the body, and the fields of the body that are in the path, for the OpenAPI document. */
function shownBody(schema: RouteSchema, moves: Moves | undefined, fieldOf: (name: string) => string) {
  const moved = movedTo('body', schema, moves).map(([name, parameter]) => [fieldOf(name), parameter] as const)
  const fields = moves?.toBody.map((parameter) => parameter.slice('body.'.length)) ?? []
  return {
    ...(moved.length > 0 && { [BODY_PARAMETERS]: Object.fromEntries(moved) }),
    ...(fields.length > 0 && { [MOVED_FIELDS]: fields })
  }
}

/** Describes a result that is answered as a value instead of its JSON text. */
function parsed({ response, [EXAMPLES]: examples }: RouteSchema, value: TSchema) {
  const parseResult = ([id, example]: [string, Example]) =>
    [id, { ...example, result: JSON.parse(example.result as string) as unknown }] as const
  return {
    response: { ...response, 200: { ...envelope(value), description: 'Success.' } },
    [EXAMPLES]: Object.fromEntries(Object.entries(examples).map(parseResult))
  }
}

/** Sends a result that is JSON text as its value. Errors have no result. */
const sendParsed: preSerializationHookHandler<Partial<Success<string>>> = (_request, _reply, payload, done) => {
  const { Result } = payload
  done(null, typeof Result === 'string' ? { ...payload, Result: JSON.parse(Result) as unknown } : payload)
}
