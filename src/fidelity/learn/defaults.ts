import { groupBy } from '../../lib/group-by.js'
import { isObject } from '../../lib/json.js'
import type { Draft } from './draft.js'
import { times } from './draft.js'
import { type Evidence, isOk } from './evidence.js'

/** What a request can leave open. */
interface Choice {
  /** Its name in the profile. */
  readonly name: 'platform' | 'region' | 'version' | 'workspace_type'
  /** The list that it is from. */
  readonly list: 'platforms' | 'regions' | 'versions' | 'workspace_types'
  readonly operation: string
  readonly field: string
  /** Its place in the schema of the reply. */
  readonly schema: string
  readonly shown: readonly string[]
  /** A field of the request that decides it, too. */
  readonly unless?: string
}

const CHOICES: readonly Choice[] = [
  {
    name: 'platform',
    list: 'platforms',
    operation: 'createWorkgroup',
    field: 'platform',
    schema: 'Workgroup',
    shown: ['platform']
  },
  {
    name: 'region',
    list: 'regions',
    operation: 'createWorkgroup',
    field: 'region',
    schema: 'Workgroup',
    shown: ['region']
  },
  {
    name: 'version',
    list: 'versions',
    operation: 'createWorkspace',
    field: 'svc_version',
    schema: 'Workspace',
    shown: ['svc_version'],
    unless: 'svc_database_id'
  },
  {
    name: 'workspace_type',
    list: 'workspace_types',
    operation: 'createWorkspace',
    field: 'workspace_type_name',
    schema: 'Workspace',
    shown: ['workspace_type', 'typeName']
  }
]

/** What is chosen where a request says nothing. */
export function learnDefaults({ calls, sights, profile }: Evidence, draft: Draft): void {
  const { fields, values } = profile.names
  const { defaults } = profile.catalogue
  const shownBy = groupBy(
    sights.filter(({ call }) => call.operation.startsWith('create')),
    ({ exchange }) => exchange
  )
  const inForce = { ...defaults, workspace_type: defaults.workspaceType }
  for (const { name, list, operation, field, schema, shown, unless = '' } of CHOICES) {
    const votes = new Map<string, number>()
    for (const { call, exchange } of calls) {
      const body = isObject(exchange.requestBody) ? exchange.requestBody : {}
      const isOpen = call.operation === operation && isOk(exchange) && !(fields.toWire(field) in body)
      if (!isOpen || fields.toWire(unless) in body) continue
      const sight = shownBy.get(exchange)?.find((one) => one.schema === schema)
      const chosen = shown.reduce<unknown>(
        (at, step) => (isObject(at) ? at[fields.toWire(step)] : undefined),
        sight?.value
      )
      if (typeof chosen === 'string') {
        const inner = values.fromWire(chosen)
        votes.set(inner, (votes.get(inner) ?? 0) + 1)
      }
    }
    const place = ['catalogue', 'defaults', name]
    if (votes.size > 1) {
      draft.doubt(
        ['catalogue', 'defaults'],
        `Without ${field}, ${operation} chose ${[...votes.keys()].join(' and ')}, so it follows from something else.`
      )
      continue
    }
    const [[chosen, count] = [undefined, 0]] = [...votes]
    const names = namesIn(draft.get(['catalogue', list]))
    const known = inForce[name]
    // A list of its own has its first entry as the default.
    const implied = names === undefined ? known : names[0]
    const wanted = chosen ?? (names === undefined || names.includes(known) ? known : undefined)
    if (wanted === undefined || (wanted === implied && draft.get(place) === undefined)) continue
    draft.set(
      place,
      wanted,
      chosen === undefined ? 'As built in; no request left it open.' : `Chosen ${times(count, 'time')}.`
    )
  }
}

function namesIn(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined
  const usable = (list as unknown[]).filter((entry) => !isObject(entry) || entry['create'] !== false)
  return usable.map((entry) => String(isObject(entry) ? (entry['name'] ?? entry['typeName']) : entry))
}
