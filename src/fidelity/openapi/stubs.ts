import { isObject } from '../../lib/json.js'
import { MOST_STUBS } from '../../profile/edge.js'
import { isBodiless } from '../../profile/reply.js'
import type { Draft } from '../learn/draft.js'
import type { Operation } from './api.js'
import { type Stubbed, type StubRule, withCollections } from './collections.js'
import type { Comparison } from './comparison.js'
import { parametersOf, servablePath } from './paths.js'
import { Samples } from './samples.js'
import type { Schema } from './schema.js'

/** The words of fields with the id of the org. */
const ORG = 'organizationid'
/** A deeper example is not used. */
const DEEPEST = 50
/** A text in braces would be a placeholder. */
const BRACES = /\{\{|\}\}/g

/** Replies for operations that the mock lacks or cannot serve, from the document's examples, or else its schemas. */
export function learnStubs(
  { operations, theirs, sides }: Comparison,
  unserved: readonly Operation[],
  notes: Draft
): StubRule[] {
  const stubbed: Stubbed[] = []
  let leftOut = 0
  for (const operation of [...operations.unknown, ...unserved]) {
    const { method, status } = operation
    const path = servablePath(operation.path)
    if (path === undefined) {
      notes.doubt(['stubs'], `${operation.route} is left out: the mock cannot have such a path.`)
      continue
    }
    if (stubbed.length === MOST_STUBS) {
      leftOut++
      continue
    }
    for (const { own } of operations.doubtful.filter((one) => one.theirs.route === operation.route))
      notes.doubt(
        ['stubs'],
        `${operation.route} may be ${own.id} (${own.method} ${own.path}). If it is, move it to routes as ` +
          `{ method: ${method}, path: ${path}, operation: ${own.id} }.`
      )
    const body = isBodiless(status) ? undefined : bodyOf(operation, path)
    const request = requestOf(operation)
    const stub = { method, path, status, ...(body === undefined ? {} : { body }), ...(request && { request }) }
    stubbed.push({ operation, stub: stub as StubRule })
  }
  if (leftOut > 0)
    notes.doubt(['stubs'], `${leftOut} further operations are left out: a profile has at most ${MOST_STUBS} stubs.`)
  return withCollections(stubbed, theirs.schemas, (name) => sides.theirs.naming.nameOf(name).words)

  /** The fields of the body that must be there, or have certain values. */
  function requestOf({ body }: Operation): StubRule['request'] {
    const fields = [...(body?.fields ?? [])].flatMap(([name, part]) => {
      const { type, values, nullable } = theirs.schemas.read(part)
      const isRequired = body!.required.has(name)
      if (!isRequired && values.length === 0) return []
      const rule = {
        ...(type === undefined || nullable ? {} : { type }),
        ...(values.length === 0 ? {} : { enum: nullable ? [...values, null] : values }),
        ...(isRequired ? { required: true as const } : {})
      }
      return [[name, rule] as const]
    })
    return fields.length === 0 ? undefined : Object.fromEntries(fields)
  }

  function bodyOf({ reply, example }: Operation, path: string): unknown {
    const copy = withoutBraces(example)
    if (copy !== undefined) return copy
    if (reply === undefined) return undefined
    const parameters = new Map(parametersOf(path).map((name) => [sides.theirs.naming.nameOf(name).key, name]))
    const textFor = (field: string) => {
      const { key, words } = sides.theirs.naming.nameOf(field)
      if (words.join('') === ORG) return '{{org_id}}'
      const parameter = parameters.get(key)
      return parameter === undefined ? undefined : `{{path.${parameter}}}`
    }
    const samples = new Samples(theirs.schemas, textFor)
    return samples.of({ ...reply, fields: withoutErrors(reply) })
  }
}

/** A success has no errors. */
function withoutErrors({ fields, required }: Schema): Schema['fields'] {
  return new Map([...fields].filter(([name]) => required.has(name) || !/^error_?details?$|^errors$/i.test(name)))
}

/** A copy of an example in which no text looks like a placeholder; undefined if it is too deep. */
function withoutBraces(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return undefined
  if (typeof value === 'string') return value.replaceAll(BRACES, (braces) => braces[0]!)
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutBraces(item, depth + 1))
    return items.includes(undefined) ? undefined : items
  }
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, item]) => [
    name.replaceAll(BRACES, (braces) => braces[0]!),
    withoutBraces(item, depth + 1)
  ])
  return fields.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(fields)
}
