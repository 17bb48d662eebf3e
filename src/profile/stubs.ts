import { type TSchema, Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../interface/schemas.js'
import { isOfType } from '../lib/json.js'
import { strict } from '../lib/strict.js'
import { allValues, FIELD_TYPES, type FieldType } from './fields.js'
import { by, type Complain, flag, text, whole } from './form.js'
import { parsePath } from './path-template.js'
import { compileReply, isBodiless, replyFields } from './reply.js'
import { METHODS, type OperationPath, routeKey } from './routes.js'
import { compilePlainText, compileTemplate, type Known, knownOfRequest } from './template.js'

/** Actions of requests on the items of a collection. */
type ItemAction = 'create' | 'list' | 'read' | 'update' | 'delete'

/** The parameter with the id of an item in a collection. */
export const ITEM = 'item'

const CollectionSchema = strict(
  {
    id: text('The field with the id of an item.'),
    created: Type.Optional(whole(200, 299, 'Status of a creation; `status` if absent.')),
    deleted: Type.Optional(whole(200, 299, 'Status of a deletion; `status` if absent.')),
    adds: Type.Optional(by('Further fields of a new item; texts may have placeholders.', Type.Unknown())),
    list: Type.Optional(Type.Unknown({ description: 'The body of the reply that lists all items; `body` if absent.' }))
  },
  {
    description:
      'Stores what is sent, without secrets: POST to the path creates an item, and GET lists them; GET, PUT, PATCH ' +
      'and DELETE of one item have its id after the path. In the body, `{{result}}` is the item, or the list.'
  }
)

const CheckedFieldSchema = strict({
  type: Type.Optional(enumeration<FieldType>(FIELD_TYPES, 'Its type; any if absent.')),
  enum: allValues,
  required: flag('Whether it must be present; false if absent.')
})

export const StubSchema = strict(
  {
    name: Type.Optional(text('Its name in the header X-Mock-Stub and in the journal; method and path if absent.')),
    method: Type.Optional(enumeration(METHODS, 'Method; absent for a collection.')),
    path: Type.String({ description: 'Path below the base path, with parameters in braces: /v1/teams/{team}.' }),
    ...replyFields,
    status: Type.Optional(whole(200, 599, 'HTTP status; of a collection, 200 if absent.')),
    collection: Type.Optional(CollectionSchema),
    request: Type.Optional(
      Type.Record(Type.String(), CheckedFieldSchema, {
        maxProperties: 1000,
        description: 'Fields of the body to check; none is required in a change of an item.'
      })
    ),
    credential: flag('Whether it needs a credential; true if absent.'),
    activity: Type.Optional(
      text('Id of a workspace, such as {{path.id}}: the request counts as its data-plane activity.')
    )
  },
  { description: 'A reply to an operation that the mock does not simulate.' }
)
type StubEntry = Shape<typeof StubSchema>

export type Stub = ReturnType<typeof compileStubs>[number]
/** How a stub stores items. */
export type StubCollection = NonNullable<Stub['collection']>

/** A stub for one method. A collection has several. */
interface Single extends Omit<StubEntry, 'method' | 'collection' | 'status'> {
  readonly method: string
  readonly status: number
  readonly collection?: NonNullable<StubEntry['collection']> & { readonly action: ItemAction; readonly path: string }
}

export function compileStubs(entries: readonly StubEntry[], paths: readonly OperationPath[], complain: Complain) {
  const simulated = new Map(
    paths.map(({ method, path, operations }) => [routeKey(method, path), operations.join(', ')])
  )
  const names = new Set<string>()
  const taken = new Set<string>()
  return entries.flatMap((entry, index) => {
    const field = `stubs.${index}`
    checkEntry(entry, field, complain)
    return singlesOf(entry).flatMap((single) => compile(single, field))
  })

  function compile(entry: Single, field: string) {
    const { method, path: given, name = `${method} ${given}`, request, activity, credential, collection } = entry
    const path = parsePath(given)
    if (typeof path === 'string') {
      complain(`${field}.path`, path)
      return []
    }
    const key = routeKey(method, path)
    const operations = simulated.get(key)
    if (operations !== undefined)
      complain(`${field}.path`, `is simulated, by ${operations}; switch its path off in routes before you stub it`)
    if (taken.has(key)) complain(`${field}.path`, `already has a stub for ${method}`)
    taken.add(key)
    if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name))
      complain(`${field}.name`, 'must be visible ASCII characters')
    if (names.has(name)) complain(`${field}.name`, `is the name of another stub: ${name}`)
    names.add(name)
    const needsCredential = credential !== false
    const known = knownTo(path.parameters, entry)
    const knownInReply = collection === undefined ? known : { ...known, words: [...known.words, 'result'] }
    const added = collection?.action === 'create' ? collection.adds : {}
    const reply =
      collection?.action === 'list' && collection.list !== undefined ? { ...entry, body: collection.list } : entry
    return [
      {
        name,
        method,
        path,
        /** JSON Schema of the body; undefined: not checked. */
        request: request && schemaOf(request, collection?.action === 'update'),
        needsCredential,
        /** Gives the id of the workspace that it is activity of. */
        activity: activity === undefined ? undefined : compilePlainText(activity, `${field}.activity`, known, complain),
        collection: collection && {
          action: collection.action,
          /** The path of the whole collection. */
          path: collection.path,
          /** The field with the id. */
          id: collection.id,
          /** Further fields of a new item. */
          adds: compileTemplate(added, `${field}.collection.adds`, known, complain)
        },
        ...compileReply(reply, field, knownInReply, complain)
      }
    ]
  }
}

function checkEntry(
  { method, path, status, collection, credential, activity, request }: StubEntry,
  field: string,
  complain: Complain
) {
  if ((method === undefined) === (collection === undefined))
    complain(`${field}.method`, 'must be present without collection, and absent with it')
  if (status === undefined && collection === undefined) complain(`${field}.status`, 'is required without collection')
  if (method === 'GET' && request !== undefined) complain(`${field}.request`, 'needs a method with a body')
  for (const [name, { type, enum: values = [] }] of Object.entries(request ?? {}))
    for (const [index, value] of values.entries())
      if (type !== undefined && !isOfType(value, type))
        complain(`${field}.request.${name}.enum.${index}`, `must be of type ${type}`)
  if (collection !== undefined && path.includes(`{${ITEM}}`))
    complain(`${field}.path`, `must not have the parameter ${ITEM}, which is the id of an item`)
  if (credential !== false) return
  if (collection !== undefined) complain(`${field}.credential`, 'must be true, because items are kept in a sandbox')
  if (activity !== undefined) complain(`${field}.credential`, 'must be true, because workspaces are in a sandbox')
}

/** The default body of a collection. */
const ENVELOPE = {
  RequestID: '{{request_id}}',
  Error: false,
  Message: '',
  ErrorDetails: null,
  Result: '{{result}}'
}

function singlesOf(entry: StubEntry): Single[] {
  const { method = 'GET', status = 200, collection, path, name, request, ...rest } = entry
  if (collection === undefined)
    return [{ ...rest, method, status, path, ...(name === undefined ? {} : { name }), ...(request && { request }) }]
  const item = `${path.replace(/\/$/, '')}/{${ITEM}}`
  const { body = ENVELOPE, ...common } = rest
  const { created = status, deleted = status } = collection
  const methods: readonly [method: string, path: string, action: ItemAction, status: number][] = [
    ['POST', path, 'create', created],
    ['GET', path, 'list', status],
    ['GET', item, 'read', status],
    ['PUT', item, 'update', status],
    ['PATCH', item, 'update', status],
    ['DELETE', item, 'delete', deleted]
  ]
  return methods.map(([verb, at, action, answer]) => ({
    ...common,
    method: verb,
    status: answer,
    path: at,
    ...(isBodiless(answer) ? {} : { body }),
    ...(name === undefined ? {} : { name: `${name} ${verb} ${action}` }),
    ...(request === undefined || !['create', 'update'].includes(action) ? {} : { request }),
    collection: { ...collection, action, path: path.replace(/\/$/, '') }
  }))
}

/** The placeholders of a stub. Without a credential, those about the sandbox are unknown. */
function knownTo(parameters: readonly string[], { method, credential, collection }: Single): Known {
  const known = knownOfRequest(parameters, method)
  return credential === false && collection === undefined ? { ...known, words: ['request_id'] } : known
}

function schemaOf(fields: NonNullable<StubEntry['request']>, isPartial: boolean): TSchema {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.required === true ? [name] : []))
  return Type.Unsafe({
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { required: _, ...schema }]) => [name, schema])),
    ...(isPartial || required.length === 0 ? {} : { required })
  })
}
