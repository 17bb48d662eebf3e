import { Type } from '@sinclair/typebox'
import { OPERATION_IDS, type OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES, type OperationRoute } from '../interface/operation-routes.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import type { Complain } from './complain.js'
import { fillPath, parsePath, type PathTemplate } from './path-template.js'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Operations that share one method and path, and the name under which they share it. */
const SHARING = ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule'] as const
const SHARED_ID = 'changeSchedule'

/** Operations whose result is JSON text, which a route can answer as the value itself. */
const TEXT_RESULTS: readonly string[] = ['getWorkspaceSchedules'] satisfies OperationId[]

export const RouteSchema = closed(
  {
    operation: enumeration<OperationId | typeof SHARED_ID>(
      [...OPERATION_IDS, SHARED_ID],
      `The operation. ${SHARED_ID} stands for the path that ${SHARING.join(', ')} share.`
    ),
    method: Type.Optional(enumeration(METHODS, 'Method of a further path.')),
    path: Type.Optional(
      Type.String({
        description: 'A further path, below the base path, with parameters in braces: /teams/{team}/databases/{id}.'
      })
    ),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          "The operation's parameter for each of the path's. Those not named here have the same name, or else the " +
          'same position.'
      })
    ),
    result: Type.Optional(
      enumeration(['array'], 'Answers getWorkspaceSchedules with an array instead of the JSON text of one.')
    ),
    off: Type.Optional(
      Type.Literal(true, {
        description:
          'Switches the built-in path of the operation off. One that shares its path leaves it to the others.'
      })
    )
  },
  { description: 'A further path of an operation; or with `off`, one less.' }
)
type RouteEntry = Shape<typeof RouteSchema>

/** A path at which operations answer. */
export interface OperationPath {
  /** One, or those that share the path. */
  readonly operations: readonly OperationId[]
  readonly method: string
  readonly path: PathTemplate
  /** The operation's names for the parameters of the path, in order. */
  readonly parameters: readonly string[]
  /** Whether a result that is JSON text is answered as the value itself. */
  readonly isParsed: boolean
  readonly isBuiltIn: boolean
}

/** Names a method and path; the same for all that the router cannot tell apart. */
export const routeKey = (method: string, { shape }: PathTemplate) => `${method} ${shape}`

/** Finds the paths of the operations under the routes of a profile. */
export function compileRoutes(entries: readonly RouteEntry[], complain: Complain): OperationPath[] {
  const off = new Set(entries.filter((entry) => entry.off === true).flatMap(({ operation }) => operationsOf(operation)))
  const paths = builtInPaths(off)
  const taken = new Map(paths.map((path) => [routeKey(path.method, path.path), nameOf(path.operations)]))
  entries.forEach((entry, index) => {
    const added = compileRoute(entry, (field, reason) => {
      complain(`routes.${index}${field === '' ? '' : `.${field}`}`, reason)
    })
    if (added === undefined) return
    const key = routeKey(added.method, added.path)
    const other = taken.get(key)
    if (other !== undefined) complain(`routes.${index}.path`, `is a path of ${other} already, with ${added.method}`)
    taken.set(key, nameOf(added.operations))
    paths.push(added)
  })
  return paths
}

function operationsOf(operation: RouteEntry['operation']): readonly OperationId[] {
  return operation === SHARED_ID ? SHARING : [operation]
}

function nameOf(operations: readonly OperationId[]): string {
  return operations.length === 1 ? operations[0]! : SHARED_ID
}

function builtInPaths(off: ReadonlySet<OperationId>): OperationPath[] {
  const paths: OperationPath[] = []
  const alone: readonly (readonly OperationId[])[] = OPERATION_IDS.filter((id) => !isSharing(id)).map((id) => [id])
  for (const operations of [...alone, SHARING]) {
    const { method, path: text } = OPERATION_ROUTES[operations[0]!]
    const path = parsePath(text) as PathTemplate
    const left = operations.filter((id) => !off.has(id))
    if (left.length > 0)
      paths.push({ operations: left, method, path, parameters: path.parameters, isParsed: false, isBuiltIn: true })
  }
  return paths
}

const isSharing = (operation: string) => (SHARING as readonly string[]).includes(operation)

function compileRoute(entry: RouteEntry, complain: Complain): OperationPath | undefined {
  const { operation, method, path: text, parameters, result } = entry
  if (entry.off === true) {
    for (const field of ['method', 'path', 'parameters', 'result'] as const)
      if (entry[field] !== undefined) complain(field, 'cannot be combined with off')
    return undefined
  }
  if (method === undefined) complain('method', 'is required, unless the route is off')
  if (text === undefined) complain('path', 'is required, unless the route is off')
  if (method === undefined || text === undefined) return undefined
  const operations = operationsOf(operation)
  const own = OPERATION_ROUTES[operations[0]!]
  if ((method === 'GET') !== (own.method === 'GET'))
    complain('method', own.method === 'GET' ? 'must be GET, because the operation only reads' : 'must not be GET')
  if (result !== undefined && !TEXT_RESULTS.includes(operation))
    complain('result', `is for ${TEXT_RESULTS.join(', ')} only; no other operation answers JSON text`)
  const path = parsePath(text)
  if (typeof path === 'string') {
    complain('path', path)
    return undefined
  }
  const names = matchParameters(path.parameters, (parsePath(own.path) as PathTemplate).parameters, parameters, complain)
  if (names === undefined) return undefined
  return { operations, method, path, parameters: names, isParsed: result === 'array', isBuiltIn: false }
}

/**
 * Finds the operation's parameter for each of a path's: as given, otherwise the one of the same name, otherwise the
 * next one that is left.
 */
function matchParameters(
  names: readonly string[],
  own: readonly string[],
  given: Readonly<Record<string, string>> = {},
  complain: Complain
): string[] | undefined {
  const hasOwn = own.length === 0 ? 'the operation has none' : `the operation has ${own.join(', ')}`
  const chosen = new Map<string, string>()
  for (const [name, target] of Object.entries(given)) {
    if (!names.includes(name)) complain(`parameters.${name}`, 'is not a parameter of the path')
    else if (!own.includes(target)) complain(`parameters.${name}`, `must be a parameter of the operation; ${hasOwn}`)
    else if ([...chosen.values()].includes(target)) complain(`parameters.${name}`, `is ${target} once more`)
    else chosen.set(name, target)
  }
  if (chosen.size < Object.keys(given).length) return undefined
  const isFree = (target: string) => ![...chosen.values()].includes(target)
  for (const name of names) if (!chosen.has(name) && own.includes(name) && isFree(name)) chosen.set(name, name)
  const left = own.filter(isFree)
  const others = names.filter((name) => !chosen.has(name))
  if (others.length > left.length) {
    const more = others.slice(left.length).join(', ')
    complain('path', `has more parameters than the operation: ${more}; ${hasOwn}`)
    return undefined
  }
  if (others.length < left.length) {
    complain('path', `lacks parameters of the operation: ${left.slice(others.length).join(', ')}`)
    return undefined
  }
  others.forEach((name, index) => chosen.set(name, left[index]!))
  return names.map((name) => chosen.get(name)!)
}

/** How an operation is sent where it has these paths. @returns undefined if it has none */
export function routeUnder(
  paths: readonly OperationPath[] | undefined,
  operation: OperationId
): OperationRoute | undefined {
  const builtIn = OPERATION_ROUTES[operation]
  if (paths === undefined) return builtIn
  const own = paths.filter(({ operations }) => operations.includes(operation))
  const chosen = own.find(({ isParsed }) => !isParsed) ?? own[0]
  if (chosen === undefined) return undefined
  const { method, path, parameters } = chosen
  return { ...builtIn, method, path: fillPath(path.text, (index) => `{${parameters[index]!}}`) }
}
