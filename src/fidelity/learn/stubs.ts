import { groupBy } from '../../lib/group-by.js'
import { inTexts } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { maskKeepingCounts } from '../../lib/secrets.js'
import { MOST_STUBS } from '../../profile/edge.js'
import type { Profile } from '../../profile/profile.js'
import { isBodiless } from '../../profile/reply.js'
import { METHODS } from '../../profile/routes.js'
import type { ProfileDocument } from '../../profile/schemas.js'
import { isId } from '../bindings.js'
import { type Exchange, isOk } from '../exchange.js'
import { memberOf } from '../meaning.js'
import type { Described } from './described.js'
import type { Operation } from './description.js'
import type { Draft } from './draft.js'
import type { Evidence } from './evidence.js'
import { parametersOf, servablePath } from './paths.js'
import { fits, sampleOf } from './samples.js'

type StubRule = NonNullable<ProfileDocument['stubs']>[number]

/** The status of an exchange with a stub is known. */
const ruleOf = ({ method, status }: Pick<Exchange, 'method' | 'status'>, path: string, body: unknown) =>
  ({ method, path, status, ...(body === undefined || isBodiless(status!) ? {} : { body }) }) as StubRule

/** The words in names of fields with the id of the org. */
const ORG = 'organization id'

/** Learns stubs for operations that the mock lacks or cannot serve, from examples or schemas. */
export function learnDocumentedStubs(
  { operations, theirs: { nameOf } }: Described,
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
    const request = requestOf(operation)
    stubs.push({ ...ruleOf(operation, path, bodyOf(operation, path)), ...(request && { request }) })
  }
  const leftOut = stubs.splice(MOST_STUBS).length
  if (leftOut > 0)
    draft.flag(['stubs'], `${leftOut} further operations are left out: a profile has at most ${MOST_STUBS} stubs.`)
  return fitting(stubs, draft)

  /** The fields of the body that are required or have an enumeration. */
  function requestOf({ body }: Operation): StubRule['request'] {
    const fields = [...(body?.fields.values() ?? [])].flatMap(({ name, schema }) => {
      const { type, values: all, nullable } = schema()
      const values = all.filter((value) => fits(value, { type, values: [] }))
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
    const parameters = new Map(parametersOf(path).map((name) => [nameOf(name).key, name]))
    // Samples are successes, so they omit errors.
    const fields = [...reply.fields].filter(
      ([name]) => reply.required.has(name) || !/^error_?details?$|^errors$/i.test(name)
    )
    return sampleOf({ ...reply, fields: new Map(fields) }, (field) => {
      const { key, words } = nameOf(field)
      if (words.join(' ') === ORG) return '{{org_id}}'
      return parameters.has(key) ? `{{path.${parameters.get(key)!}}}` : undefined
    })
  }
}

/** The maximum of bytes of all replies, because the size of a profile is limited. */
const MOST = 400_000

/** Omits the bodies for which there is no room. */
function fitting(stubs: readonly StubRule[], draft: Draft): StubRule[] {
  let room = MOST
  let omitted = 0
  const all = stubs.map((stub): StubRule => {
    const { body, ...bare } = stub
    const size = Buffer.byteLength(JSON.stringify(body ?? null))
    if (size <= room) {
      room -= size
      return stub
    }
    omitted++
    return bare
  })
  if (omitted > 0)
    draft.flag(['stubs'], `${quantity(omitted, 'further body')} left out: the size of a profile is limited.`)
  return all
}

/** Learns replies at paths that the mock does not have. */
export function learnStubs({ foreign, basePath, profile }: Evidence, draft: Draft): void {
  const known = (draft.get(['stubs']) ?? []) as readonly StubRule[]
  const keyOf = ({ method, path }: StubRule) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
  const answered = foreign.filter((one) => isOk(one) && METHODS.some((method) => method === one.method))
  const seen = groupBy(
    answered.map((exchange) => stubOf(profile, exchange, exchange.path.slice(basePath.length))),
    keyOf
  )
  if (seen.size === 0) return
  // The first exchange is usually the simplest.
  const first = [...seen.values()].map(([stub]) => stub!)
  const stubs = [...first, ...known.filter((stub) => !seen.has(keyOf(stub)))].slice(0, MOST_STUBS)
  draft.set(
    ['stubs'],
    stubs,
    `${seen.size} of these paths were seen, in ${answered.length} exchanges; the body is that of the first.`
  )
  // Afterwards, because set() drops earlier notes.
  draft.document['stubs'] = fitting(stubs, draft)
  const bare = foreign.filter(({ body, isBodyOmitted }) => isBodyOmitted === true && body === undefined).length
  if (bare > 0)
    draft.flag(['stubs'], `The bodies of ${quantity(bare, 'exchange')} were not recorded; the exchanges say why.`)
}

function stubOf(profile: Profile, exchange: Exchange, path: string): StubRule {
  const template = path
    .split('/')
    .map((segment, index, all) => {
      if (!isVariable(segment)) return segment.replaceAll(/[{}]/g, '')
      const owner = all[index - 1]!
      return isVariable(owner) ? '{id}' : `{${owner.replaceAll(/[{}]/g, '').replace(/s$/, '')}_id}`
    })
    .join('/')
  return ruleOf(exchange, servablePath(template) ?? template, bodyTemplate(profile, exchange))
}

/** Whether a segment of a path identifies something, rather than being part of the interface. */
const isVariable = (segment: string) => isId(segment) || (/\d/.test(segment) && !/^v\d+$/.test(segment))

/** The body of a reply as a template, without secrets. */
export function bodyTemplate(profile: Profile, { body, headers }: Exchange): unknown {
  if (body === undefined) return undefined
  const id = headers['x-request-id'] ?? memberOf(profile, body, 'RequestID')
  const template = withoutPlaceholders(maskKeepingCounts(body))
  // A short id may be in a text by chance.
  if (typeof id !== 'string' || id.length < 4) return template
  const placed = (text: string) => (text === id ? '{{request_id}}' : text)
  return inTexts(template, (text) => placed(text.replaceAll(/[\w-]+/g, placed)))
}

/** Changes a JSON value so that no text looks like a placeholder. */
function withoutPlaceholders(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value).replaceAll('{{', '{ {')) as unknown)
}
