import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceError } from '../interface/errors.js'
import type { AnsweredRequest, SharedReply } from '../journal/journal.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { MetFault } from './hooks/inject-faults.js'

/** Asks for more room for a body, passing its total size in bytes. @returns why it may not grow */
export type AskForRoom = (bytes: number) => ServiceError | undefined

/** The owner of a request's sandbox: the hash of its credential, and a name for the log if it has one. */
export interface Caller {
  readonly sandboxId: string
  readonly name: string | undefined
  /** Whether the control API issued the key; such a key only works for the sandbox created with it. */
  readonly isFork: boolean
}

/** What is sent of a reading, with what the journal has kept of its last reader. */
export interface SentReading extends SharedReply {
  readonly message: string
  kept?: Pick<AnsweredRequest, 'call' | 'outcome'>
}

/** Fastify's description of a route. */
type Route = FastifyRequest['routeOptions']

declare module 'fastify' {
  /** Additional fields of a request. Each hook's file says which of them it sets. */
  interface FastifyRequest {
    /** Its route. Fastify's own `routeOptions` creates a new object on every access. */
    readonly route: Route
    /** {@link route}, once it has been read. */
    knownRoute: Route | undefined
    /** The owner of its sandbox; undefined for routes without a credential, and until the credential is checked. */
    caller: Caller | undefined
    /** The caller's sandbox; only for routes that need a credential. */
    readonly sandbox: Sandbox
    /** {@link sandbox}; undefined until the request has reached one. */
    enteredSandbox: Sandbox | undefined
    /**
     * When it reached its sandbox, in milliseconds since 1970: by the sandbox's clock, and by the machine's; and since
     * the process started, if its duration is measured.
     */
    arrival: { readonly at: number; readonly received: number; readonly begun: number | undefined } | undefined
    /** Asks whether its body may take a number of bytes. */
    askForRoom: AskForRoom | undefined
    /** The schema that its body was checked against, if the route alone does not determine it. */
    bodySchema: object | undefined
    /** Logs it although its reply is not sent; undefined if requests are not logged. */
    logUnsent: (() => void) | undefined
    /** The fault injected into it. */
    fault: MetFault | undefined
    /** What it was answered with, if others may share that but for the RequestID. */
    reading: { readonly sent: SentReading; readonly payload: string } | undefined
    /** The error that it was answered with. */
    failure: ServiceError | undefined
    /** Whether the client aborted while sending the body, so that there is nobody to answer. */
    isBrokenOff: boolean
  }
}

/** Adds the fields declared above to all requests of an application. */
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
      return this.enteredSandbox!
    }
  })
  app.decorateRequest('arrival', undefined)
  app.decorateRequest('askForRoom', undefined)
  app.decorateRequest('bodySchema', undefined)
  app.decorateRequest('logUnsent', undefined)
  app.decorateRequest('fault', undefined)
  app.decorateRequest('reading', undefined)
  app.decorateRequest('failure', undefined)
  app.decorateRequest('isBrokenOff', false)
}

/** A hook that runs before the body is read. It throws to refuse the request. */
export type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** A hook that runs before the reply leaves. It may replace the body. */
export type OnSend = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error?: Error | null, payload?: unknown) => void
) => void

/** The path without its query, which may contain data that does not belong in a log. */
export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
