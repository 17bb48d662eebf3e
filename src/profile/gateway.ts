import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import type { Complain } from './form.js'
import { compileReply, type ProfileReply, replyFields } from './reply.js'

const reply = (description: string) => Type.Optional(strict(replyFields, { description }))

export const GatewaySchema = strict(
  {
    unknown_path: reply('An unknown path. The service itself answers for unknown ids.'),
    unknown_method: reply('A method that the path does not have.'),
    too_many_requests: reply('More requests than the `limits` of the profile allow.'),
    idempotency_key: reply('An `Idempotency-Key` that is missing, is in use, or was used for another request.'),
    missing_credential: reply('No credential.'),
    wrong_credential: reply('An unknown credential, with --auth strict.'),
    key_as_bearer: reply(
      'An API key sent as a session, Authorization: Bearer. Only --auth strict recognises it as a key.'
    )
  },
  { description: 'Replies to requests that do not reach the service; the usual errors if absent.' }
)
type GatewayEntry = Shape<typeof GatewaySchema>

/** A reason why a request does not reach the service. */
export type Refusal = keyof GatewayEntry

/** Absent reasons have the usual errors. */
export type Gateway = ReadonlyMap<Refusal, ProfileReply>

export function compileGateway(entry: GatewayEntry, complain: Complain): Gateway {
  return new Map(
    Object.entries(entry).map(([refusal, own]) => [
      refusal as Refusal,
      compileReply(own, `gateway.${refusal}`, { words: ['request_id'], sources: {} }, complain)
    ])
  )
}
