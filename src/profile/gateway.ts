import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import type { Complain } from './form.js'
import { compileReply, type ProfileReply, replyFields } from './reply.js'

const reply = (description: string) => Type.Optional(closed(replyFields, { description }))

export const GatewaySchema = closed(
  {
    unknown_path: reply('A path that does not exist. An id that does not exist is up to the service.'),
    unknown_method: reply('A method that the path does not have.'),
    too_many_requests: reply('More requests than the `limits` of the profile allow.'),
    idempotency_key: reply('An `Idempotency-Key` that is missing, is in use, or was used for another request.'),
    missing_credential: reply('No credential.'),
    wrong_credential: reply('An unknown credential, which only --auth strict has.'),
    key_as_bearer: reply(
      'An API key that is sent as a session, Authorization: Bearer. Only with --auth strict is it known to be a key.'
    )
  },
  { description: 'What is answered before the service; the usual errors if absent.' }
)
type GatewayEntry = Shape<typeof GatewaySchema>

/** The reasons for which a request does not reach the service. */
export type Refusal = keyof GatewayEntry

/** What is answered before the service, by the reason. Reasons that are absent have the usual errors. */
export type Gateway = ReadonlyMap<Refusal, ProfileReply>

export function compileGateway(entry: GatewayEntry, complain: Complain): Gateway {
  return new Map(
    Object.entries(entry).map(([refusal, own]) => [
      refusal as Refusal,
      compileReply(own, `gateway.${refusal}`, { words: ['request_id'], sources: {} }, complain)
    ])
  )
}
