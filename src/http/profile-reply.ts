import type { FastifyReply } from 'fastify'
import type { ProfileReply } from '../profile/reply.js'
import type { Values } from '../profile/template.js'

/** Sends a reply that a profile writes out. */
export function sendReply(reply: FastifyReply, { status, headers, body }: ProfileReply, values: Values): void {
  const content = body?.(values)
  void reply.code(status)
  for (const [name, value] of headers) void reply.header(name, value(values))
  if (typeof content === 'string' || content === undefined) void reply.send(content)
  else {
    if (!headers.has('content-type')) void reply.type('application/json; charset=utf-8')
    void reply.send(JSON.stringify(content))
  }
}
