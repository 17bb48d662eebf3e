import { Type } from '@sinclair/typebox'
import { type EnvelopedOperationId, MESSAGES } from '../interface/messages.js'
import type { OperationId } from '../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { type Complain, forEach } from './form.js'
import { parsePath, type PathTemplate } from './path-template.js'
import { compilePlainText, knownOfRequest, type Values } from './template.js'

export const MessagesSchema = strict(
  forEach(Object.keys(MESSAGES) as EnvelopedOperationId[], (id) =>
    Type.Optional(Type.String({ description: `Message of ${id}.` }))
  ),
  { description: '`Message` of successes, by operationId.' }
)

/** Templates of `Message` of successes, by operation. */
export type Messages = ReadonlyMap<string, (values: Values) => string>

export function compileMessages(entry: Shape<typeof MessagesSchema>, complain: Complain): Messages {
  return new Map(
    Object.entries(entry).map(([operation, text]) => {
      const { path, method } = OPERATION_ROUTES[operation as OperationId]
      const known = knownOfRequest((parsePath(path) as PathTemplate).parameters, method)
      return [operation, compilePlainText(text, `messages.${operation}`, known, complain)]
    })
  )
}
