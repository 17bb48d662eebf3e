import { groupBy } from '../../lib/group-by.js'
import { isObject, valueAt } from '../../lib/json.js'
import type { ProfileDocument } from '../../profile/schemas.js'
import type { ItemAction } from '../../profile/stubs.js'
import type { Operation } from './api.js'
import { parametersOf } from './paths.js'
import type { Schema, Schemas } from './schema.js'

export type StubRule = NonNullable<ProfileDocument['stubs']>[number]

/** An operation that the mock lacks, and the stub that answers it always the same. */
export interface Stubbed {
  readonly operation: Operation
  readonly stub: StubRule
}

/** Operations on the items of one path. */
interface Family {
  readonly path: string
  readonly members: Partial<Record<ItemAction, Stubbed>>
}

/** Where something is in a body: names of fields, from outside. */
type Place = readonly string[]

/**
 * Stubs in which those that create, list, read, change and delete the items of one path are a collection, where the
 * schemas of their replies show the items.
 */
export function withCollections(
  stubbed: readonly Stubbed[],
  schemas: Schemas,
  wordsOf: (name: string) => readonly string[]
): StubRule[] {
  const replaced = new Map<StubRule, StubRule | undefined>()
  for (const { path, members } of familiesIn(stubbed)) {
    const collection = collectionOf(path, members, schemas, wordsOf)
    if (collection === undefined) continue
    for (const { stub } of Object.values(members)) replaced.set(stub, undefined)
    replaced.set(members.create!.stub, collection)
  }
  return stubbed.flatMap(({ stub }) => {
    const other = replaced.has(stub) ? replaced.get(stub) : stub
    return other === undefined ? [] : [other]
  })
}

const ACTIONS: Readonly<Record<string, ItemAction>> = { GET: 'read', PUT: 'update', PATCH: 'update', DELETE: 'delete' }

function familiesIn(stubbed: readonly Stubbed[]): Family[] {
  const byPath = groupBy(stubbed, ({ stub: { path } }) => path.replace(/\/\{\w+\}$/, ''))
  return [...byPath].flatMap(([path, all]) => {
    const isItem = ({ stub }: Stubbed) => stub.path !== path
    const create = all.find((one) => one.stub.method === 'POST' && !isItem(one))
    if (create === undefined) return []
    const members: Family['members'] = { create }
    for (const one of all) {
      const { method } = one.stub
      const action = isItem(one) ? ACTIONS[method!] : method === 'GET' ? 'list' : undefined
      if (action !== undefined) members[action] ??= one
    }
    return [{ path, members }]
  })
}

function collectionOf(
  path: string,
  members: Family['members'],
  schemas: Schemas,
  wordsOf: (name: string) => readonly string[]
): StubRule | undefined {
  const { create, list, read, delete: deleted } = members
  const reply = create?.operation.reply
  const one = Object.values(members).find(({ stub }) => stub.path !== path)
  if (reply === undefined || one === undefined) return undefined
  const [parameter] = parametersOf(one.stub.path).slice(-1)
  const found = itemIn(reply, schemas, (fields) => idAmong(fields, parameter!, wordsOf))
  const listed = list?.operation.reply && listIn(list.operation.reply, found?.item, schemas)
  if (found === undefined || (list !== undefined && listed === undefined)) return undefined
  const { id, item, place } = found
  const sample = valueAt(create!.stub.body, place)
  const sent = create!.operation.body?.fields ?? new Map<string, unknown>()
  const adds = Object.entries(isObject(sample) ? sample : {}).filter(([name]) => name !== id && !sent.has(name))
  const times = [...item.fields].filter(([, part]) => schemas.read(part).format === 'date-time').map(([name]) => name)
  const status = (read ?? list)?.stub.status ?? 200
  return {
    path,
    collection: {
      id,
      does: Object.keys(members) as ItemAction[],
      ...(create!.stub.status === status ? {} : { created: create!.stub.status! }),
      ...(deleted === undefined || deleted.stub.status === status ? {} : { deleted: deleted.stub.status! }),
      ...(adds.length === 0
        ? {}
        : { adds: Object.fromEntries(adds.map(([name, value]) => [name, times.includes(name) ? '{{now}}' : value])) }),
      ...(listed === undefined ? {} : { list: withResult(list!.stub.body, listed) })
    },
    ...(create!.stub.request === undefined ? {} : { request: create!.stub.request }),
    ...(status === 200 ? {} : { status }),
    body: withResult(create!.stub.body, place)
  }
}

/** The field with the id of an item: named like the parameter of the path, or `id`. */
function idAmong(
  fields: Schema['fields'],
  parameter: string,
  wordsOf: (name: string) => readonly string[]
): string | undefined {
  const meant = wordsOf(parameter).join(' ')
  const names = [...fields.keys()]
  return names.find((name) => wordsOf(name).join(' ') === meant) ?? names.find((name) => /^(?:id|uuid)$/i.test(name))
}

/** An item in the reply to its creation: the whole, or one of its fields. */
function itemIn(
  reply: Schema,
  schemas: Schemas,
  idOf: (fields: Schema['fields']) => string | undefined
): { readonly place: Place; readonly item: Schema; readonly id: string } | undefined {
  const candidates: (readonly [Place, Schema])[] = [
    [[], reply],
    ...[...reply.fields].map(([name, part]) => [[name], schemas.read(part)] as const)
  ]
  for (const [place, item] of candidates) {
    const id = item.type === 'object' ? idOf(item.fields) : undefined
    if (id !== undefined) return { place, item, id }
  }
  return undefined
}

/** Where a reply has the list of items. */
function listIn(reply: Schema, item: Schema | undefined, schemas: Schemas, depth = 0): Place | undefined {
  if (reply.type === 'array') return schemas.read(reply.items).name === item?.name ? [] : undefined
  if (depth === 2) return undefined
  for (const [name, part] of reply.fields) {
    const place = listIn(schemas.read(part), item, schemas, depth + 1)
    if (place !== undefined) return [name, ...place]
  }
  return undefined
}

/** A body with `{{result}}` at a place. */
function withResult(body: unknown, [name, ...rest]: Place): unknown {
  if (name === undefined) return '{{result}}'
  const own = isObject(body) ? body : {}
  return { ...own, [name]: withResult(own[name], rest) }
}
