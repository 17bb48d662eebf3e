import { Type } from '@sinclair/typebox'
import { OPERATION_IDS, type OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES, type OperationRoute } from '../interface/operation-routes.js'
import { enumeration, type Shape } from '../interface/schemas.js'
import { nullable, strict } from '../lib/strict.js'
import { by, type Complain } from './form.js'
import { fillPath, parsePath, type PathTemplate } from './path-template.js'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Operations that share a method and path, and the name for all of them. A parameter of the query can select one. */
export const SHARING = OPERATION_IDS.filter((id) => OPERATION_ROUTES[id].query !== undefined)
export const SHARED_ID = 'changeSchedule'

/** The built-in prefix of the controller's operations. */
export const CONTROLLER = '/controller/v4/v2'

/** For each parent, the parameters from which it follows: the first one that a request has. */
export const CHILDREN = {
  workgroupID: ['workspaceID', 'databaseID', 'id'],
  workspaceID: ['job', 'body.backup_id', 'body.id']
} as const
export type Parent = keyof typeof CHILDREN

/** Operations whose result is the text of a list, with the schema of its items. A route can answer with the list. */
export const TEXT_RESULTS: ReadonlyMap<OperationId, string> = new Map([['getWorkspaceSchedules', 'WorkspaceSchedule']])

export const RouteSchema = strict(
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
        "The operation's parameter for each parameter of the path, or a field of its body, as `body.NAME`. Others " +
          'match by name, otherwise by position; a path with fewer lacks the first.',
        nullable(Type.String(), 'null: it is ignored.')
      )
    ),
    from: Type.Optional(
      by(
        "Where to find the operation's parameters that the path lacks: `query.NAME` or `body.NAME`. A parent of " +
          'another parameter, such as the workgroup of a workspace, is found without it.',
        Type.String({ pattern: '^(query|body)\\.[^.]+$' })
      )
    ),
    result: Type.Optional(
      enumeration(['array'], 'Answers getWorkspaceSchedules with an array instead of the JSON text of one.')
    ),
    off: Type.Optional(
      Type.Literal(true, {
        description: 'Switches the built-in path of the operation off. Others that share it keep it.'
      })
    )
  },
  { description: 'A further path of an operation, or with `off`, the removal of its built-in path.' }
)
type RouteEntry = Shape<typeof RouteSchema>

export interface OperationPath {
  /** One, or all that share the path. */
  readonly operations: readonly OperationId[]
  readonly method: string
  readonly path: PathTemplate
  /** The operation's name for each parameter of the path, in order. Others have a name with a dot. */
  readonly parameters: readonly string[]
  readonly moves?: Moves | undefined
  /** Whether a result that is JSON text is answered as the value itself. */
  readonly isParsed: boolean
  readonly isBuiltIn: boolean
}

/** Parameters that are not where the operation expects them. */
export interface Moves {
  /** Parameters of the path that are fields of the body: `body.` and the field. */
  readonly toBody: readonly string[]
  /** The places of parameters that the path lacks. */
  readonly from: ReadonlyMap<string, { readonly source: 'query' | 'body'; readonly name: string }>
  /** Parameters that follow from the others, in the order of finding them. */
  readonly derived: readonly Parent[]
}

/** The same for methods and paths that the router cannot distinguish. */
export const routeKey = (method: string, { shape }: PathTemplate) => `${method} ${shape}`

/** The prefix of the controller's operations under a profile. */
export function prefixOf(given: string | undefined, complain: Complain): string {
  if (given === undefined) return CONTROLLER
  const problem = prefixProblem(given)
  if (problem !== undefined) complain('prefix', problem)
  return problem === undefined ? given.replace(/^\/$/, '') : CONTROLLER
}

/** Why operations cannot be below a path, if they cannot. */
export function prefixProblem(given: string): string | undefined {
  if (given === '/') return undefined
  const path = parsePath(given)
  if (typeof path === 'string') return path
  return /[{}]|\/$/.test(given) ? 'must have no parameters, and no slash at its end' : undefined
}

/** All paths of the operations under a profile. */
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
    if (other !== undefined) complain(`routes.${index}.path`, `is already a path of ${other}, with ${added.method}`)
    taken.set(key, nameOf(added.operations))
    paths.push(added)
  })
  return paths
}

const operationsOf = (operation: RouteEntry['operation']): readonly OperationId[] =>
  operation === SHARED_ID ? SHARING : [operation]

const nameOf = (operations: readonly OperationId[]): string => (operations.length === 1 ? operations[0]! : SHARED_ID)

function builtInPaths(off: ReadonlySet<OperationId>, prefix: string): OperationPath[] {
  const paths: OperationPath[] = []
  const alone: readonly (readonly OperationId[])[] = OPERATION_IDS.filter((id) => !SHARING.includes(id)).map((id) => [
    id
  ])
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
  const builtIn = OPERATION_ROUTES[operations[0]!]
  if ((method === 'GET') !== (builtIn.method === 'GET'))
    complain('method', builtIn.method === 'GET' ? 'must be GET, because the operation only reads' : 'must not be GET')
  if (result !== undefined && !operations.every((one) => TEXT_RESULTS.has(one)))
    complain('result', `is only for ${[...TEXT_RESULTS.keys()].join(', ')}; no other operation answers with JSON text`)
  const path = parsePath(text)
  if (typeof path === 'string') {
    complain('path', path)
    return undefined
  }
  const matched = matchParameters(path.parameters, builtIn, entry, complain)
  if (matched === undefined) return undefined
  return { operations, method, path, ...matched, isParsed: result === 'array', isBuiltIn: false }
}

/**
 * Finds the operation's parameter for each parameter of a path: as given, otherwise by name, otherwise by position
 * among the last that are left. Parameters that the path lacks are elsewhere in the request, or follow from the others.
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
  let isRefused = false as boolean
  const refuse: Complain = (...problem) => {
    isRefused = true
    complain(...problem)
  }
  const isNowhere = (place: string) => place.startsWith('body.') && hasBody !== true
  const nowhere = 'is a field of the body, but the operation has none'
  const isTaken = (target: string) => [...chosen.values()].includes(target)
  for (const [name, target] of Object.entries(given)) {
    const field = `parameters.${name}`
    if (!names.includes(name)) refuse(field, 'is not a parameter of the path')
    else if (target === null) chosen.set(name, `unused.${name}`)
    else if (isTaken(target)) refuse(field, `repeats ${target}`)
    else if (!own.includes(target) && !target.startsWith('body.'))
      refuse(field, `must be a parameter of the operation; ${hasOwn}`)
    else if (isNowhere(target)) refuse(field, nowhere)
    else chosen.set(name, target)
  }
  for (const [name, place] of Object.entries(from)) {
    if (!own.includes(name)) refuse(`from.${name}`, `is not a parameter of the operation; ${hasOwn}`)
    else if (isTaken(name)) refuse(`from.${name}`, 'is already in the path')
    else if (isNowhere(place)) refuse(`from.${name}`, nowhere)
  }
  if (isRefused) return undefined
  const isFree = (target: string) => !isTaken(target) && !Object.hasOwn(from, target)
  for (const name of names) if (!chosen.has(name) && own.includes(name) && isFree(name)) chosen.set(name, name)
  const others = names.filter((name) => !chosen.has(name))
  const left = own.filter(isFree)
  if (others.length > left.length) {
    const more = others.slice(left.length).join(', ')
    complain('path', `has more parameters than the operation: ${more}; ${hasOwn}. Use null to ignore one`)
    return undefined
  }
  // The last parameters are the most specific. Their parents follow from them, inner ones first.
  const lacking = left.splice(0, left.length - others.length).reverse()
  others.forEach((name, index) => chosen.set(name, left[index]!))
  const known = [...chosen.values(), ...Object.keys(from), ...lacking]
  const isDerivable = (name: string): name is Parent =>
    name in CHILDREN && CHILDREN[name as Parent].some((child) => known.includes(child))
  const derived = lacking.filter(isDerivable)
  const missing = lacking.filter((name) => !isDerivable(name))
  if (missing.length > 0) {
    complain('path', `lacks parameters of the operation: ${missing.join(', ')}; say in \`from\` where they are`)
    return undefined
  }
  const elsewhere = Object.entries(from).map(([parameter, place]) => {
    const [source, name] = place.split('.') as ['query' | 'body', string]
    return [parameter, { source, name }] as const
  })
  const toBody = [...chosen.values()].filter((target) => target.startsWith('body.'))
  const hasMoved = elsewhere.length > 0 || toBody.length > 0 || derived.length > 0
  return {
    parameters: names.map((name) => chosen.get(name)!),
    moves: hasMoved ? { toBody, from: new Map(elsewhere), derived } : undefined
  }
}

/** The route of an operation under a profile. Parameters with a dot are ignored, or go to the body. */
interface PlacedRoute extends OperationRoute {
  readonly moves?: Moves | undefined
}

/** The route of an operation; undefined if none of the paths has it. */
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
