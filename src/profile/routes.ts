import { Type } from '@sinclair/typebox'
import { OPERATION_IDS, type OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES, type OperationRoute } from '../interface/operation-routes.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { closed, nullable } from '../lib/closed.js'
import { by, type Complain } from './form.js'
import { fillPath, parsePath, type PathTemplate } from './path-template.js'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Operations that share one method and path, and the name under which they share it. */
const SHARING = ['setBackupSchedule', 'updateWorkspaceSchedule', 'deleteWorkspaceSchedule'] as const
const SHARED_ID = 'changeSchedule'

/** Where the operations of the controller are without a profile. */
export const CONTROLLER = '/controller/v4/v2'

/** What the ids of a path say about those that it lacks: the parameters that lead to a parent. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  workgroupID: ['workspaceID', 'databaseID', 'id'],
  workspaceID: ['job', 'body.id', 'body.backup_id']
}

/** Operations whose result is JSON text, which a route can answer as the value itself. */
export const TEXT_RESULTS: readonly OperationId[] = ['getWorkspaceSchedules']

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
      by(
        "The operation's parameter for each of the path's, or a field of its body, as `body.NAME`. Those not named " +
          'here have the same name, or else the same position; a path with fewer lacks the first.',
        nullable(Type.String(), 'null: it stands for nothing.')
      )
    ),
    from: Type.Optional(
      by(
        "Where the operation's parameters are that the path lacks: `query.NAME` or `body.NAME`. What belongs to " +
          'another parameter is found by it: the workgroup of a workspace.',
        Type.String({ pattern: '^(query|body)\\.[^.]+$' })
      )
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
  /** The operation's names for the parameters of the path, in order; others have a name with a dot. */
  readonly parameters: readonly string[]
  /** Parameters that are elsewhere; undefined if there are none. */
  readonly moves?: Moves | undefined
  /** Whether a result that is JSON text is answered as the value itself. */
  readonly isParsed: boolean
  readonly isBuiltIn: boolean
}

/** What a path says otherwise than the operation expects it. */
export interface Moves {
  /** Fields of the body that the path has: their names by that of the path's parameter. */
  readonly toBody: ReadonlyMap<string, string>
  /** Where parameters are that the path lacks. */
  readonly from: ReadonlyMap<string, { readonly source: 'query' | 'body'; readonly name: string }>
  /** Parameters that follow from the others, in the order in which they are found. */
  readonly derived: readonly string[]
}

/** Names a method and path; the same for all that the router cannot tell apart. */
export const routeKey = (method: string, { shape }: PathTemplate) => `${method} ${shape}`

/** Where a profile has the operations of the controller. */
export function prefixOf(given: string | undefined, complain: Complain): string {
  if (given === undefined) return CONTROLLER
  if (given === '/') return ''
  const path = parsePath(given)
  const problem =
    typeof path === 'string'
      ? path
      : /[{}]|\/$/.test(given)
        ? 'must have no parameters, and no slash at its end'
        : undefined
  if (problem === undefined) return given
  complain('prefix', problem)
  return CONTROLLER
}

/**
 * Finds the paths of the operations under the routes of a profile.
 * @param prefix where the operations of the controller are
 */
export function compileRoutes(entries: readonly RouteEntry[], prefix: string, complain: Complain): OperationPath[] {
  const off = new Set(entries.filter((entry) => entry.off === true).flatMap(({ operation }) => operationsOf(operation)))
  const paths = builtInPaths(off, prefix)
  const taken = new Map(paths.map((path) => [routeKey(path.method, path.path), nameOf(path.operations)]))
  entries.forEach((entry, index) => {
    const added = compileRoute(entry, (field, reason) =>
      complain(`routes.${index}${field === '' ? '' : `.${field}`}`, reason)
    )
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

function builtInPaths(off: ReadonlySet<OperationId>, prefix: string): OperationPath[] {
  const paths: OperationPath[] = []
  const alone: readonly (readonly OperationId[])[] = OPERATION_IDS.filter((id) => !isSharing(id)).map((id) => [id])
  for (const operations of [...alone, SHARING]) {
    const { method, path: built } = OPERATION_ROUTES[operations[0]!]
    const text = built.startsWith(CONTROLLER) ? `${prefix}${built.slice(CONTROLLER.length)}` : built
    const path = parsePath(text) as PathTemplate
    const left = operations.filter((id) => !off.has(id))
    if (left.length > 0)
      paths.push({
        operations: left,
        method,
        path,
        parameters: path.parameters,
        isParsed: false,
        isBuiltIn: text === built
      })
  }
  return paths
}

const isSharing = (operation: string) => (SHARING as readonly string[]).includes(operation)

function compileRoute(entry: RouteEntry, complain: Complain): OperationPath | undefined {
  const { operation, method, path: text, result } = entry
  if (entry.off === true) {
    for (const field of ['method', 'path', 'parameters', 'from', 'result'] as const)
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
  if (result !== undefined && !TEXT_RESULTS.some((one) => one === operation))
    complain('result', `is for ${TEXT_RESULTS.join(', ')} only; no other operation answers JSON text`)
  const path = parsePath(text)
  if (typeof path === 'string') {
    complain('path', path)
    return undefined
  }
  const matched = matchParameters(path.parameters, own, entry, complain)
  if (matched === undefined) return undefined
  return { operations, method, path, ...matched, isParsed: result === 'array', isBuiltIn: false }
}

/**
 * Finds the operation's parameter for each of a path's: as given, otherwise the one of the same name, otherwise the
 * next one that is left, but for the first if there are too many. What the path lacks is elsewhere in the request, or
 * follows from what it has.
 */
function matchParameters(
  names: readonly string[],
  { path, hasBody }: OperationRoute,
  { parameters: given = {}, from = {} }: RouteEntry,
  complain: Complain
): Pick<OperationPath, 'parameters' | 'moves'> | undefined {
  const own = (parsePath(path) as PathTemplate).parameters
  const hasOwn = own.length === 0 ? 'the operation has none' : `the operation has ${own.join(', ')}`
  const chosen = new Map<string, string>()
  const toBody = new Map<string, string>()
  const problems: (readonly [field: string, reason: string])[] = []
  const refuse: Complain = (...problem) => problems.push(problem)
  const isTaken = (target: string) => [...chosen.values()].includes(target)
  for (const [name, target] of Object.entries(given)) {
    const field = `parameters.${name}`
    if (!names.includes(name)) refuse(field, 'is not a parameter of the path')
    else if (target === null) chosen.set(name, `unused.${name}`)
    else if (isTaken(target)) refuse(field, `is ${target} once more`)
    else if (own.includes(target)) chosen.set(name, target)
    else if (!target.startsWith('body.')) refuse(field, `must be a parameter of the operation; ${hasOwn}`)
    else if (hasBody !== true) refuse(field, 'is a field of the body, but the operation has none')
    else {
      chosen.set(name, target)
      toBody.set(target, target.slice('body.'.length))
    }
  }
  for (const [name, place] of Object.entries(from)) {
    if (!own.includes(name)) refuse(`from.${name}`, `is not a parameter of the operation; ${hasOwn}`)
    else if (isTaken(name)) refuse(`from.${name}`, 'is in the path already')
    else if (place.startsWith('body.') && hasBody !== true)
      refuse(`from.${name}`, 'is a field of the body, but the operation has none')
  }
  for (const problem of problems) complain(...problem)
  if (problems.length > 0) return undefined
  const isFree = (target: string) => !isTaken(target) && !Object.hasOwn(from, target)
  for (const name of names) if (!chosen.has(name) && own.includes(name) && isFree(name)) chosen.set(name, name)
  const others = names.filter((name) => !chosen.has(name))
  const left = own.filter(isFree)
  if (others.length > left.length) {
    const more = others.slice(left.length).join(', ')
    complain('path', `has more parameters than the operation: ${more}; ${hasOwn}. One that stands for nothing is null`)
    return undefined
  }
  // The last ones are the most particular: their parents follow from them, inner ones first.
  const derived = left.splice(0, left.length - others.length).reverse()
  others.forEach((name, index) => chosen.set(name, left[index]!))
  const known = [...chosen.values(), ...Object.keys(from), ...derived]
  const missing = derived.filter((parent) => CHILDREN[parent]?.some((child) => known.includes(child)) !== true)
  if (missing.length > 0) {
    complain('path', `lacks parameters of the operation: ${missing.join(', ')}; say in \`from\` where they are`)
    return undefined
  }
  const elsewhere = Object.entries(from).map(([parameter, place]) => {
    const [source, name] = place.split('.') as ['query' | 'body', string]
    return [parameter, { source, name }] as const
  })
  const hasMoved = elsewhere.length > 0 || toBody.size > 0 || derived.length > 0
  return {
    parameters: names.map((name) => chosen.get(name)!),
    moves: hasMoved ? { toBody, from: new Map(elsewhere), derived } : undefined
  }
}

/** How an operation is sent under a profile. A parameter with a dot is for nothing, or for the body. */
export interface PlacedRoute extends OperationRoute {
  readonly moves?: Moves | undefined
}

/** How an operation is sent where it has these paths. @returns undefined if it has none */
export function routeUnder(
  paths: readonly OperationPath[] | undefined,
  operation: OperationId
): PlacedRoute | undefined {
  const builtIn = OPERATION_ROUTES[operation]
  if (paths === undefined) return builtIn
  const own = paths.filter(({ operations }) => operations.includes(operation))
  const chosen = own.find(({ isParsed }) => !isParsed) ?? own[0]
  if (chosen === undefined) return undefined
  const { method, path, parameters, moves } = chosen
  return { ...builtIn, method, path: fillPath(path.text, (index) => `{${parameters[index]!}}`), moves }
}
