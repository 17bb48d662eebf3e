import { groupBy } from '../../lib/group-by.js'
import { isObject } from '../../lib/json.js'
import { quantity } from '../../lib/quantity.js'
import { MOST_STUBS } from '../../profile/edge.js'
import type { Profile } from '../../profile/profile.js'
import { METHODS } from '../../profile/routes.js'
import type { ProfileDocument } from '../../profile/schemas.js'
import { isId } from '../bindings.js'
import type { Exchange } from '../exchange.js'
import { servablePath } from '../openapi/paths.js'
import type { Draft } from './draft.js'
import { type Evidence, isOk } from './evidence.js'

export type StubRule = NonNullable<ProfileDocument['stubs']>[number]

/** The maximum of characters of all replies, because the size of a profile is limited. */
const MOST = 400_000

/** Learns replies at paths that the mock does not have. */
export function learnStubs({ foreign, basePath = '', profile }: Evidence, draft: Draft): void {
  const known = (draft.get(['stubs']) ?? []) as readonly StubRule[]
  const keyOf = ({ method, path }: StubRule) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
  const answered = foreign.filter((one) => isOk(one) && METHODS.some((method) => method === one.method))
  const seen = groupBy(
    answered.map((exchange) => stubOf(profile, exchange, exchange.path.slice(basePath.length))),
    keyOf
  )
  if (seen.size === 0) return
  let room = MOST
  // The first exchange is usually the simplest.
  const first = [...seen.values()].map(([stub]): StubRule => {
    const { body, ...bare } = stub!
    const size = JSON.stringify(body ?? null).length
    if (size > room) return bare
    room -= size
    return stub!
  })
  const stubs = [...known.filter((stub) => !seen.has(keyOf(stub))), ...first].slice(0, MOST_STUBS)
  draft.set(
    ['stubs'],
    stubs,
    `${seen.size} of these paths were seen, in ${answered.length} exchanges; the body is that of the first.`
  )
  const bare = foreign.filter(({ body, isBodyOmitted }) => isBodyOmitted === true && body === undefined).length
  if (bare > 0) draft.flag(['stubs'], `The recording omits the bodies of ${quantity(bare, 'exchange')}, and says why.`)
}

function stubOf(profile: Profile, { method, status, body, headers }: Exchange, path: string): StubRule {
  const template = path
    .split('/')
    .map((segment, index, all) => {
      if (!isVariable(segment)) return segment.replaceAll(/[{}]/g, '')
      const owner = all[index - 1]!
      return isVariable(owner) ? '{id}' : `{${owner.replaceAll(/[{}]/g, '').replace(/s$/, '')}_id}`
    })
    .join('/')
  return {
    method,
    path: servablePath(template) ?? template,
    status: status!,
    ...(body === undefined || status === 204 ? {} : { body: withRequestId(profile, body, headers) })
  } as StubRule
}

/** Whether a segment of a path identifies something, rather than being part of the interface. */
const isVariable = (segment: string) => isId(segment) || (/\d/.test(segment) && !/^v\d+$/.test(segment))

function withRequestId(profile: Profile, body: unknown, headers: Exchange['headers']): unknown {
  if (!isObject(body)) return withoutPlaceholders(body)
  const safe = withoutPlaceholders(body) as Record<string, unknown>
  const field = profile.names.fields.toWire('RequestID')
  const id = headers['x-request-id'] ?? safe[field]
  return field in safe && safe[field] === id ? { ...safe, [field]: '{{request_id}}' } : safe
}

/** Changes a JSON value so that no text looks like a placeholder. */
export function withoutPlaceholders(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value).replaceAll('{{', '{ {')) as unknown)
}
