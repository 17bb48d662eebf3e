import type { FastifyInstance, FastifyRequest, preSerializationHookHandler } from 'fastify'
import type { Success } from '../../interface/envelope.js'
import type { Messages } from '../../profile/messages.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { operationIdOf } from '../operation.js'
import { valuesOf } from '../placeholders.js'

/** The message of a profile for a successful request; undefined if it has none for the operation. */
type MessageOf = (request: FastifyRequest) => string | undefined

export function messagesOf(plane: Pick<ControlPlane, 'engine'>, messages: Messages): MessageOf {
  return (request) => messages.get(operationIdOf(request) ?? '')?.(valuesOf(plane, request))
}

/** Puts the messages of a profile into successful replies. */
export function sayMessages(app: FastifyInstance, messageOf: MessageOf): void {
  const say: preSerializationHookHandler<Partial<Success<unknown>>> = (request, _reply, payload, done) => {
    const message = (payload.Error as boolean | undefined) === false ? messageOf(request) : undefined
    done(null, message === undefined ? payload : withMessage(payload, message))
  }
  app.addHook('preSerialization', say)
}

/** Some results repeat the message. */
function withMessage(payload: Partial<Success<unknown>>, message: string) {
  return { ...payload, Message: message, ...(payload.Result === payload.Message ? { Result: message } : {}) }
}
