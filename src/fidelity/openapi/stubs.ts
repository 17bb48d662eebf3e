import { MOST_STUBS } from '../../profile/edge.js'
import { isBodiless } from '../../profile/reply.js'
import type { Draft } from '../learn/draft.js'
import { type StubRule, withoutPlaceholders } from '../learn/stubs.js'
import type { Operation } from './api.js'
import type { Comparison } from './comparison.js'
import { parametersOf, servablePath } from './paths.js'
import { sampleOf } from './samples.js'

/** The words in names of fields with the id of the org. */
const ORG = 'organization id'

/** Learns stubs for operations that the mock lacks or cannot serve, from examples or schemas. */
export function learnStubs(
  { operations, theirs: { naming } }: Comparison,
  unserved: readonly Operation[],
  draft: Draft
): StubRule[] {
  const stubs: StubRule[] = []
  for (const operation of [...operations.unknown, ...unserved]) {
    const path = servablePath(operation.path)
    if (path === undefined) {
      draft.flag(['stubs'], `${operation.route} is left out: the mock cannot have such a path.`)
      continue
    }
    const mayBe = operations.doubtful.filter((one) => one.theirs.route === operation.route).map(({ own }) => own.id)
    if (mayBe.length > 0)
      draft.flag(['stubs'], `${operation.route} may be ${mayBe.join(' or ')}. If it is, move it to routes.`)
    const body = isBodiless(operation.status) ? undefined : bodyOf(operation, path)
    const request = requestOf(operation)
    stubs.push({
      method: operation.method,
      path,
      status: operation.status,
      ...(body === undefined ? {} : { body }),
      ...(request === undefined ? {} : { request })
    } as StubRule)
  }
  const leftOut = stubs.splice(MOST_STUBS).length
  if (leftOut > 0)
    draft.flag(['stubs'], `${leftOut} further operations are left out: a profile has at most ${MOST_STUBS} stubs.`)
  return stubs

  /** The fields of the body that are required or have an enumeration. */
  function requestOf({ body }: Operation): StubRule['request'] {
    const fields = [...(body?.fields.values() ?? [])].flatMap(({ name, schema }) => {
      const { type, values, nullable } = schema()
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
    if (example !== undefined || reply === undefined) return withoutPlaceholders(example)
    const parameters = new Map(parametersOf(path).map((name) => [naming.nameOf(name).key, name]))
    // Samples are successes, so they omit errors.
    const fields = [...reply.fields].filter(
      ([name]) => reply.required.has(name) || !/^error_?details?$|^errors$/i.test(name)
    )
    return sampleOf({ ...reply, fields: new Map(fields) }, (field) => {
      const { key, words } = naming.nameOf(field)
      if (words.join(' ') === ORG) return '{{org_id}}'
      return parameters.has(key) ? `{{path.${parameters.get(key)!}}}` : undefined
    })
  }
}
