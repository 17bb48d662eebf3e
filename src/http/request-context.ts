import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceError } from '../lib/errors.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { AskForRoom } from './body-room.js'
import type { Caller } from './credentials.js'
import type { MetFault } from './hooks/inject-faults.js'

/** What Fastify knows of a route. */
type Route = FastifyRequest['routeOptions']

declare module 'fastify' {
  /** What a request carries besides what Fastify gives it. Each hook says in its own file which of this it sets. */
  interface FastifyRequest {
    /** Its route. Fastify's own `routeOptions` makes a new object each time it is read. */
    readonly route: Route
    /** {@link route}, once it has been read. */
    knownRoute: Route | undefined
    /** Whose sandbox it is for; undefined on routes that need no credential, and until the credential is checked. */
    caller: Caller | undefined
    /** The caller's sandbox; only for routes that need a credential. */
    readonly sandbox: Sandbox
    /** {@link sandbox}; undefined as long as the request has not reached one. */
    enteredSandbox: Sandbox | undefined
    /** When it reached its sandbox, in milliseconds since 1970: by the sandbox's clock, and by the machine's. */
    arrival: { readonly at: number; readonly received: number } | undefined
    /** Asks whether its body may take a number of bytes. */
    askForRoom: AskForRoom | undefined
    /** The schema that its body was checked against, where the route alone does not say it. */
    bodySchema: object | undefined
    /** The injected fault that it met. */
    fault: MetFault | undefined
    /** The error that it was answered with. */
    failure: ServiceError | undefined
    /** Whether the client broke off while it sent the body, so that there is nobody to answer. */
    isBrokenOff: boolean
  }
}

/** Gives every request of an application the fields that are declared above. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('knownRoute', undefined)
  app.decorateRequest('route', {
    getter() {
      return (this.knownRoute ??= this.routeOptions)
    }
  })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('enteredSandbox', undefined)
  app.decorateRequest('sandbox', {
    getter() {
      if (this.enteredSandbox === undefined) {
        throw new Error(`${this.method} ${this.url} has no sandbox: its route needs no credential`)
      }
      return this.enteredSandbox
    }
  })
  app.decorateRequest('arrival', undefined)
  app.decorateRequest('askForRoom', undefined)
  app.decorateRequest('bodySchema', undefined)
  app.decorateRequest('fault', undefined)
  app.decorateRequest('failure', undefined)
  app.decorateRequest('isBrokenOff', false)
}

/** A hook that runs before the body is read. It throws to refuse the request. */
export type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** A hook that runs before the reply leaves. It may put another body in its place. */
export type OnSend = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error?: Error | null, payload?: unknown) => void
) => void

/** The path without its query, which may hold what does not belong in a log. */
export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
