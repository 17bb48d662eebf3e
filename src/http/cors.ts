import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const METHODS = 'GET, POST, PUT, DELETE'

/** Lets pages of some origins read replies, refusals too. Call it before anything that may refuse a request. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const { default: cors } = await import('@fastify/cors')
  await app.register(cors, { origin: [...origins], exposedHeaders: ['X-Request-Id'], preflight: false })
}

/** Whether a browser asks if it may send a request from another origin. */
export function isPreflight({ headers, method }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Answers such a question. (The plugin would answer any OPTIONS, to unknown paths too.) */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  void reply.code(204).headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? ''
  }).send()
}
