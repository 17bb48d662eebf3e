import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Success, success } from '../interface/envelope.js'
import { type EnvelopedOperationId, MESSAGES } from '../interface/messages.js'
import type { Messages } from '../profile/messages.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { operationIdOf } from './operation.js'
import { valuesOf } from './placeholders.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The reply to a successful request, with the message of its operation. */
    succeed<T>(result?: T): Success<T>
  }
}

/** The message for a successful request. */
export type MessageOf = (request: FastifyRequest) => string

/** @param own messages of the profile, if it has any */
export function messagesOf(plane: Pick<ControlPlane, 'engine'>, own: Messages = new Map()): MessageOf {
  return (request) => {
    const operation = operationIdOf(request)!
    return own.get(operation)?.(valuesOf(plane, request)) ?? MESSAGES[operation as EnvelopedOperationId]
  }
}

/** Adds `succeed` to the requests of an application. */
export function decorateWithSuccess(app: FastifyInstance, messageOf: MessageOf): void {
  app.decorateRequest('succeed', function <T>(this: FastifyRequest, result?: T) {
    const message = messageOf(this)
    return success(this, message, this.route.config.repeatsMessage === true ? (message as T) : result)
  })
}
