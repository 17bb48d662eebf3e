import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import type { Complain } from './complain.js'
import { parsePath, type PathTemplate } from './path-template.js'
import { compileReply, type ProfileReply, replyFields } from './reply.js'
import { METHODS, type OperationPath, routeKey } from './routes.js'
import { knownOfRequest } from './template.js'

export const StubSchema = closed(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Its name in the header X-Mock-Stub and in the journal; method and path if absent.'
      })
    ),
    method: enumeration(METHODS, 'Method.'),
    path: Type.String({ description: 'Path below the base path, with parameters in braces: /v1/teams/{team}.' }),
    ...replyFields
  },
  { description: 'The reply of an operation that the mock does not simulate.' }
)
type StubEntry = Shape<typeof StubSchema>

/** The reply of an operation that the mock does not simulate. */
export interface Stub extends ProfileReply {
  readonly name: string
  readonly method: string
  readonly path: PathTemplate
}

export function compileStubs(
  entries: readonly StubEntry[],
  paths: readonly OperationPath[],
  complain: Complain
): Stub[] {
  const simulated = new Map(
    paths.map(({ method, path, operations }) => [routeKey(method, path), operations.join(', ')])
  )
  const names = new Set<string>()
  const taken = new Set<string>()
  return entries.flatMap((entry, index) => {
    const field = `stubs.${index}`
    const { method, path: text, name = `${method} ${text}` } = entry
    const path = parsePath(text)
    if (typeof path === 'string') {
      complain(`${field}.path`, path)
      return []
    }
    const key = routeKey(method, path)
    const operations = simulated.get(key)
    if (operations !== undefined)
      complain(`${field}.path`, `is simulated, by ${operations}; switch its path off in routes before you stub it`)
    if (taken.has(key)) complain(`${field}.path`, `has another stub for ${method} already`)
    taken.add(key)
    if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name))
      complain(`${field}.name`, 'must be visible ASCII characters')
    if (names.has(name)) complain(`${field}.name`, `is the name of another stub: ${name}`)
    names.add(name)
    const known = knownOfRequest(path.parameters, method)
    return [{ name, method, path, ...compileReply(entry, field, known, complain) }]
  })
}
