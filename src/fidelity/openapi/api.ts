import { DocumentError, readDocumentFile } from '../../interface/document-file.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../../lib/json.js'
import { References, type Schema, Schemas } from './schema.js'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** An operation of a document. One that takes several kinds of body counts as several operations with one route. */
export interface Operation {
  /** Identifies the operation together with the kind of body. */
  readonly id: string
  /** The operationId, otherwise the route. */
  readonly name: string
  /** Upper case. */
  readonly method: string
  /** Below the base path. */
  readonly path: string
  /** Method and path. */
  readonly route: string
  readonly body: Schema | undefined
  readonly status: number
  readonly reply: Schema | undefined
  /** An example of the reply. */
  readonly example: unknown
}

export type Api = ReturnType<typeof readApi>

/**
 * Reads a JSON or YAML file, and lists keys that an object has more than once, with their lines.
 * @throws {DocumentError} if it cannot be read, or is neither
 */
export async function readDocument(path: string) {
  const duplicates: string[] = []
  const onDuplicate = (name: string, line: number) => duplicates.push(`${name} (line ${line})`)
  const { document } = await readDocumentFile(path, { onDuplicate, maxAliasCount: -1 })
  return { document, duplicates }
}

/** @throws {DocumentError} if it is not an OpenAPI document */
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
    /** The path of the server, without a slash at the end. */
    basePath: dialect.basePath(objectOf(document)),
    operations,
    schemas,
    references,
    /** Routes that differ from an earlier one at most in the names of their parameters. */
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

/** The content of a body or a reply. */
interface Content {
  readonly schema?: unknown
  readonly example?: unknown
  /** The names of its examples. */
  readonly names?: readonly string[]
}

/** The differences between the versions of OpenAPI. */
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
    return body === undefined ? {} : { schema: body['schema'] }
  },
  reply: ({ schema, examples }) => ({ schema, example: jsonOf(objectOf(examples)) })
}

const OPENAPI_3: Dialect = {
  basePath: ({ servers }) => {
    const url = textOf(objectOf(listOf(servers)[0])['url']) ?? ''
    // The URL may be relative, and may have variables.
    return url.includes('{') ? '' : pathOf(url.replace(/^[a-z]+:\/\/[^/]*/i, ''))
  },
  body: (operation, references) => contentOf(references.resolve(operation['requestBody']), references),
  reply: (response) => contentOf(response)
}

const pathOf = (text: string) => text.replace(/[?#].*$/, '').replace(/\/+$/, '')

function dialectOf(document: unknown): Dialect {
  if (!isObject(document)) throw new DocumentError('is not an OpenAPI document: it is not an object')
  const { swagger, openapi, paths } = document
  const given = swagger ?? openapi
  // YAML reads a version without quotes as a number.
  const version = typeof given === 'number' ? String(given) : (textOf(given) ?? '')
  if (version === '')
    throw new DocumentError('is not an OpenAPI document: it has neither the field openapi nor swagger')
  if (!(swagger === undefined ? /^3(?:\.|$)/ : /^2(?:\.|$)/).test(version))
    throw new DocumentError(`has the version ${version}; only OpenAPI 3 and Swagger 2 can be read`)
  if (!isObject(paths)) throw new DocumentError('has no paths')
  return swagger === undefined ? OPENAPI_3 : SWAGGER_2
}

/** The first success, otherwise the default reply. */
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

/** The entry for JSON among those of all media types. */
function jsonOf(byType: Json): unknown {
  const types = Object.keys(byType)
  const type =
    types.find((one) => /^application\/json\b/i.test(one)) ?? types.find((one) => /\+json\b|^\*\//i.test(one))
  return type === undefined ? undefined : byType[type]
}

/** The kinds of body that an operation takes, named after its examples if there is one for each. */
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

/** All names of fields and of schemas, and all values of enumerations. */
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
