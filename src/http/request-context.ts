import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceError } from '../interface/errors.js'
import type { AnsweredRequest, SharedReply } from '../journal/journal.js'
import { traceIdOf } from '../lib/trace.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import type { MetFault } from './hooks/inject-faults.js'

/** Asks for room for a body by its total size in bytes. @returns the error if there is none */
export type AskForRoom = (bytes: number) => ServiceError | undefined

/** The owner of a request's sandbox. */
export interface Caller {
  /** Hash of the credential. */
  readonly sandboxId: string
  /** For the log; undefined if the credential has none. */
  readonly name: string | undefined
  /** Whether the control API issued the key. Such a key only works for the sandbox created with it. */
  readonly isFork: boolean
}

/** The text of a cached reply, shared by all its readers. */
export interface SentReading extends SharedReply {
  readonly message: string
  /** The journal's record of the last reader. */
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
    /** {@link sandbox}, but undefined until the request has reached it. */
    enteredSandbox: Sandbox | undefined
    /**
     * When it reached its sandbox, in milliseconds since 1970: by the sandbox's clock, and by the machine's; and since
     * the process started.
     */
    arrival: { readonly at: number; readonly received: number; readonly begun: number } | undefined
    askForRoom: AskForRoom | undefined
    /** Its body as the client sent it, in the built-in names; undefined if nothing has changed it. */
    sent: { readonly body: unknown } | undefined
    /** The schema that its body was checked against, if the route alone does not determine it. */
    bodySchema: object | undefined
    /** Logs it once its reply is over; undefined if requests are not logged. */
    logReply: (() => void) | undefined
    fault: MetFault | undefined
    /** The cached reply, and its text with the RequestID. */
    reading: { readonly sent: SentReading; readonly payload: string } | undefined
    /** The error with which it was answered. */
    failure: ServiceError | undefined
    /** Whether the client aborted while sending the body. */
    isAborted: boolean
  }
}

const SET_LATER = [
  'knownRoute',
  'caller',
  'enteredSandbox',
  'arrival',
  'askForRoom',
  'sent',
  'bodySchema',
  'logReply',
  'fault',
  'reading',
  'failure'
] as const

/** Adds the fields declared above to all requests of an application. */
export function decorateRequests(app: FastifyInstance): void {
  for (const field of SET_LATER) app.decorateRequest(field, undefined)
  app.decorateRequest('isAborted', false)
  app.decorateRequest('route', {
    getter() {
      return (this.knownRoute ??= this.routeOptions)
    }
  })
  app.decorateRequest('sandbox', {
    getter() {
      return this.enteredSandbox!
    }
  })
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

/** Calls back once, when a reply has left or its connection has closed, which it may have done already. */
export function onceOver(raw: ServerResponse, callback: () => void): void {
  const over = () => {
    raw.off('finish', over).off('close', over)
    callback()
  }
  if (raw.destroyed) callback()
  else raw.on('finish', over).on('close', over)
}

/** The path without its query, which may contain data that does not belong in a log. */
export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** The trace-id that a request names; undefined if there is none. */
export function traceOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  return typeof traceparent === 'string' ? traceIdOf(traceparent) : undefined
}
