import { DocumentError, readDocumentFile } from '../../interface/document-file.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../../lib/json.js'
import { References } from './references.js'
import { type Schema, Schemas } from './schema.js'

/** Methods of operations. HEAD and OPTIONS say nothing about what a service can do. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** An operation of a document, whatever the version of OpenAPI. */
export interface Operation {
  /** Its operationId, otherwise method and path. Of an operation that takes several bodies, that of one of them. */
  readonly id: string
  /** The operationId in the document, which several of these may stand for. */
  readonly name: string
  /** Upper case. */
  readonly method: string
  /** Below the base path. */
  readonly path: string
  /** The same for all that stand for one operation of the document. */
  readonly route: string
  readonly body: Schema | undefined
  readonly status: number
  readonly reply: Schema | undefined
  /** An example of the reply. */
  readonly example: unknown
}

/** A document as it is compared. */
export type Api = ReturnType<typeof readApi>

/**
 * Reads a JSON or YAML file.
 * @returns the document, and keys that are in an object more than once, with their lines
 * @throws {DocumentError} if it cannot be read, or is neither
 */
export async function readDocument(path: string) {
  const duplicates: string[] = []
  const onDuplicate = (name: string, line: number) => duplicates.push(`${name} (line ${line})`)
  const { document } = await readDocumentFile(path, { onDuplicate, maxAliasCount: -1 })
  return { document, duplicates }
}

/**
 * Reads an OpenAPI document.
 * @throws {DocumentError} if it is none
 */
export function readApi(document: unknown) {
  const dialect = dialectOf(document)
  const references = new References(document)
  const schemas = new Schemas(references)
  const operations: Operation[] = []
  const duplicates: string[] = []
  const known = new Set<string>()
  for (const [path, item] of Object.entries(objectOf(objectOf(document)['paths']))) {
    if (!path.startsWith('/')) continue
    const shared = references.resolve(item)
    for (const method of METHODS) {
      const operation = shared[method]
      if (!isObject(operation)) continue
      const route = `${method.toUpperCase()} ${path}`
      const shape = route.replaceAll(/\{[^{}]*\}/g, '{}')
      if (known.has(shape)) duplicates.push(route)
      else for (const one of readOperation(route, operation, shared)) operations.push(one)
      known.add(shape)
    }
  }
  const { title } = objectOf(objectOf(document)['info'])
  return {
    title: textOf(title) ?? '',
    /** The path of its server, without a slash at the end; empty if it is the root. */
    basePath: dialect.basePath(objectOf(document)),
    operations,
    schemas,
    references,
    /** Routes that the document has more than once, if only by other names of their parameters. */
    duplicates,
    names: identifiersIn(document)
  }

  function readOperation(route: string, operation: Json, shared: Json): Operation[] {
    const [method, path] = route.split(' ') as [string, string]
    const parameters = [...listOf(operation['parameters']), ...listOf(shared['parameters'])]
    const body = dialect.body(operation, references, parameters)
    const [status, response] = successOf(objectOf(operation['responses']))
    const reply = dialect.reply(references.resolve(response))
    const name = textOf(operation['operationId']) ?? route
    const common = {
      name,
      method,
      path,
      route,
      status,
      reply: reply.schema === undefined ? undefined : schemas.read(reply.schema),
      example: reply.example
    }
    return variantsOf(name, body, references).map((variant) => ({
      ...common,
      id: variant.id,
      body: variant.body === undefined ? undefined : schemas.read(variant.body)
    }))
  }
}

/** What a body or a reply consists of. */
interface Content {
  readonly schema?: unknown
  readonly example?: unknown
  /** The names of its examples. */
  readonly names?: readonly string[]
}

/** What differs between the versions of OpenAPI. */
interface Dialect {
  readonly basePath: (document: Json) => string
  readonly body: (operation: Json, references: References, parameters: readonly unknown[]) => Content
  readonly reply: (response: Json) => Content
}

const SWAGGER_2: Dialect = {
  basePath: ({ basePath }) => pathOf(textOf(basePath) ?? ''),
  body: (_, references, parameters) => {
    const read = parameters.map((parameter) => references.resolve(parameter))
    const body = read.find((parameter) => parameter['in'] === 'body')
    if (body !== undefined) return { schema: body['schema'] }
    const form = read.filter((parameter) => parameter['in'] === 'formData')
    if (form.length === 0) return {}
    const properties = Object.fromEntries(form.map((field) => [textOf(field['name']) ?? '', field] as const))
    return { schema: { type: 'object', properties } }
  },
  reply: ({ schema, examples }) => ({ schema, example: jsonOf(objectOf(examples)) })
}

const OPENAPI_3: Dialect = {
  basePath: ({ servers }) => {
    const url = textOf(objectOf(listOf(servers)[0])['url']) ?? ''
    // A server may be relative, and may have variables.
    return url.includes('{') ? '' : pathOf(url.replace(/^[a-z]+:\/\/[^/]*/i, ''))
  },
  body: (operation, references) => contentOf(references.resolve(operation['requestBody']), references),
  reply: (response) => contentOf(response)
}

const pathOf = (text: string) => text.replace(/[?#].*$/, '').replace(/\/+$/, '')

function dialectOf(document: unknown): Dialect {
  if (!isObject(document)) throw new DocumentError('is no OpenAPI document: it is not an object')
  const { swagger, openapi, paths } = document
  const given = swagger ?? openapi
  // YAML takes a version for a number if it is not in quotes.
  const version = typeof given === 'number' ? String(given) : (textOf(given) ?? '')
  if (version === '') throw new DocumentError('is no OpenAPI document: it has neither the field openapi nor swagger')
  if (!(swagger === undefined ? /^3(?:\.|$)/ : /^2(?:\.|$)/).test(version))
    throw new DocumentError(`has the version ${version}; only OpenAPI 3 and Swagger 2 can be read`)
  if (!isObject(paths)) throw new DocumentError('has no paths')
  return swagger === undefined ? OPENAPI_3 : SWAGGER_2
}

/** The first success; otherwise the reply for all statuses. */
function successOf(responses: Json): [status: number, response: unknown] {
  const success = Object.keys(responses)
    .filter((status) => /^2(?:\d\d|XX)$/i.test(status))
    .sort()[0]
  if (success === undefined) return [200, responses['default']]
  return [Number(success.replaceAll(/x/gi, '0')), responses[success]]
}

function contentOf({ content }: Json, references?: References): Content {
  const media = objectOf(jsonOf(objectOf(content)))
  const examples = objectOf(media['examples'])
  const [first] = Object.values(examples)
  const shown = references?.resolve(first) ?? objectOf(first)
  return { schema: media['schema'], example: media['example'] ?? shown['value'], names: Object.keys(examples) }
}

/** What there is for JSON, by media type. */
function jsonOf(byType: Json): unknown {
  const types = Object.keys(byType)
  const type =
    types.find((one) => /^application\/json\b/i.test(one)) ?? types.find((one) => /\+json\b|^\*\//i.test(one))
  return type === undefined ? undefined : byType[type]
}

/**
 * An operation that takes one of several objects stands for as many: they share a method and path. They are named
 * after its examples, if there is one for each.
 */
function variantsOf(
  id: string,
  { schema, names = [] }: Content,
  references: References
): { id: string; body: unknown }[] {
  const { anyOf, oneOf } = references.resolve(schema)
  const bodies = [...listOf(anyOf), ...listOf(oneOf)].filter((one) => references.resolve(one)['type'] !== 'null')
  if (bodies.length < 2) return [{ id, body: schema }]
  return bodies.map((body, index) => ({ id: names.length === bodies.length ? names[index]! : id, body }))
}

/** All names of fields and of schemas, and all listed values, however deep they are. */
function identifiersIn(document: unknown) {
  const names = { fields: new Set<string>(), schemas: new Set<string>(), values: new Set<string>() }
  const seen = new Set<unknown>()
  const rest: unknown[] = [document]
  while (rest.length > 0) {
    const part = rest.pop()
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    const { properties, schemas, definitions, enum: values } = part as Json
    for (const name of Object.keys(objectOf(properties))) names.fields.add(name)
    for (const named of [schemas, definitions]) for (const name of Object.keys(objectOf(named))) names.schemas.add(name)
    for (const value of listOf(values)) if (typeof value === 'string') names.values.add(value)
    for (const value of Object.values(part)) rest.push(value)
  }
  return names
}
