import { DocumentError, readDocumentFile } from '../../interface/document-file.js'
import type { OperationId } from '../../interface/operation-ids.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../../lib/json.js'
import { TEXT_RESULTS } from '../../profile/routes.js'
import { type Schema, Schemas } from '../schema.js'
import { type Name, type NameOf, wordsIn } from '../words.js'
import { type Path, readPath, withoutNames } from './paths.js'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** An operation of a document. One that takes several kinds of body counts as several operations with one route. */
export interface Operation {
  /** Identifies the operation together with the kind of body. */
  readonly id: string
  readonly meant: Name
  /** The operationId, otherwise the route. */
  readonly name: string
  /** Upper case. */
  readonly method: string
  /** Below the base path. */
  readonly path: string
  readonly steps: Path
  /** Method and path. */
  readonly route: string
  readonly body: Schema | undefined
  readonly status: number
  readonly reply: Schema | undefined
  /** The reply without its envelope. */
  readonly payload: Schema | undefined
  /** The list in the payload, if that is the text of one. */
  readonly listInText: Schema | undefined
  /** An example of the reply. */
  readonly example: unknown
}

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
export function readApi(document: unknown, nameOf: NameOf, isOwn: boolean) {
  const { info, paths } = checked(document)
  const schemas = new Schemas(document, nameOf)
  const read = (schema: unknown) => (schema === undefined ? undefined : schemas.read(schema))
  const operations: Operation[] = []
  const duplicates: string[] = []
  const known = new Set<string>()
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith('/')) continue
    const shared = schemas.resolve(item)
    for (const method of METHODS) {
      if (!isObject(shared[method])) continue
      const operation = schemas.resolve(shared[method])
      const route = `${method.toUpperCase()} ${path}`
      const shape = withoutNames(route)
      if (known.has(shape)) duplicates.push(route)
      else for (const one of readOperation(method.toUpperCase(), path, operation, shared)) operations.push(one)
      known.add(shape)
    }
  }
  return {
    title: textOf(objectOf(info)['title']) ?? '',
    /** The path of the server, without a slash at the end. */
    basePath: basePathOf(objectOf(document)),
    operations,
    nameOf,
    schemas,
    /** Routes that differ from an earlier one at most in the names of their parameters. */
    duplicates
  }

  function readOperation(method: string, path: string, operation: Json, shared: Json): Operation[] {
    const route = `${method} ${path}`
    const name = textOf(operation['operationId']) ?? route
    const parameters = [...listOf(operation['parameters']), ...listOf(shared['parameters'])]
    // Swagger 2 has the body among the parameters.
    const inParameters = parameters.find((one) => schemas.resolve(one)['in'] === 'body')
    const body = contentOf(schemas.resolve(operation['requestBody'] ?? inParameters), schemas)
    const [status, response] = successOf(objectOf(operation['responses']))
    const { schema, example } = contentOf(schemas.resolve(response), schemas)
    const reply = read(schema)
    const listed = isOwn ? TEXT_RESULTS.get(name as OperationId) : undefined
    const items = listed && { $ref: `#/components/schemas/${listed}` }
    return kindsOf(body.schema, schemas).map((kind, index, { length }) => {
      const id = length > 1 && body.names.length === length ? body.names[index]! : name
      return {
        id,
        meant: nameOf(id),
        name,
        method,
        path,
        steps: readPath(path, nameOf),
        route,
        body: read(kind),
        status,
        reply,
        payload: payloadOf(reply),
        listInText: read(items && { type: 'array', items }),
        example
      }
    })
  }
}

function checked(document: unknown): Json & { readonly paths: Json } {
  if (!isObject(document)) throw new DocumentError('is not an OpenAPI document: it is not an object')
  const { swagger, openapi, paths } = document
  const version = wordOf(swagger ?? openapi)
  if (version === '')
    throw new DocumentError('is not an OpenAPI document: it has neither the field openapi nor swagger')
  if (!(swagger === undefined ? /^3(?:\.|$)/ : /^2(?:\.|$)/).test(version))
    throw new DocumentError(`has the version ${version}; only OpenAPI 3 and Swagger 2 can be read`)
  if (!isObject(paths)) throw new DocumentError('has no paths')
  return { ...document, paths }
}

/** A text without quotes, which YAML reads as a number if it looks like one; empty if it is neither. */
const wordOf = (value: unknown): string => (typeof value === 'number' ? String(value) : (textOf(value) ?? ''))

function basePathOf({ basePath, servers }: Json): string {
  const { url, variables } = objectOf(listOf(servers)[0])
  // A URL may be relative, and may have variables, which must have a default.
  const valueOf = (name: string) => wordOf(objectOf(objectOf(variables)[name])['default'])
  const path = (textOf(basePath) ?? textOf(url) ?? '')
    .replaceAll(/\{([^{}]*)\}/g, (_, name: string) => valueOf(name))
    .replace(/^[a-z]*:?\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
  return `/${path}`.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
}

/** The first success, otherwise the default reply if it has a body, otherwise a redirect. */
function successOf(responses: Json): [status: number, response: unknown] {
  const statuses = Object.keys(responses).sort()
  const isDefault = ['content', 'schema'].some((part) => part in objectOf(responses['default']))
  const success =
    statuses.find((status) => /^2(?:\d\d|XX)$/i.test(status)) ??
    (isDefault ? undefined : statuses.find((status) => /^3(?!04)(?:\d\d|XX)$/i.test(status)))
  if (success === undefined) return [200, responses['default']]
  return [Number(success.replaceAll(/x/gi, '0')), responses[success]]
}

/** The schema of a body or a reply, its example, and the names of its examples. */
function contentOf({ content, schema, examples }: Json, schemas: Schemas) {
  if (content === undefined) return { schema, example: jsonOf(objectOf(examples)), names: [] }
  const media = objectOf(jsonOf(objectOf(content)))
  const named = objectOf(media['examples'])
  const example = media['example'] ?? schemas.resolve(Object.values(named)[0])['value']
  return { schema: media['schema'], example, names: Object.keys(named) }
}

/** The entry for JSON among those of all media types. */
function jsonOf(byType: Json): unknown {
  const types = Object.keys(byType)
  const type =
    types.find((one) => /^application\/json\b/i.test(one)) ?? types.find((one) => /\+json\b|^\*\//i.test(one))
  return type === undefined ? undefined : byType[type]
}

/** The kinds of body that an operation takes. */
function kindsOf(schema: unknown, schemas: Schemas): readonly unknown[] {
  const { anyOf, oneOf } = schemas.resolve(schema)
  const kinds = [...listOf(anyOf), ...listOf(oneOf)].filter((one) => schemas.resolve(one)['type'] !== 'null')
  return kinds.length > 1 ? kinds : [schema]
}

/** Names of the field with the payload in an envelope. */
const PAYLOAD: ReadonlySet<string> = new Set(['result', 'results', 'data', 'payload', 'response', 'body'])
/** Names of the other fields of an envelope. */
const BESIDE: ReadonlySet<string> = new Set(['error', 'errors', 'message', 'code', 'status', 'success', 'requestid'])

/** The payload of a reply, without its envelope. */
function payloadOf(reply: Schema | undefined): Schema | undefined {
  if (reply === undefined || reply.type === 'array') return reply
  const fields = [...reply.fields.values()]
  const beside = fields.filter(({ name }) => BESIDE.has(wordsIn(name).join('')))
  if (beside.length === 0) return reply
  const payload = fields.find(({ name }) => PAYLOAD.has(name.toLowerCase()))
  if (payload === undefined) return beside.length > 1 ? undefined : reply
  return payload.schema()
}
