/** A request, whose body is sent as JSON. */
interface JsonRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** A reply, read to its end. */
export interface TextReply {
  readonly status: number
  readonly requestId: string
  readonly text: string
}

/** Sends a request. @throws what `fetch` throws if there is no complete reply */
export async function sendJson(url: string, { body, headers, ...request }: JsonRequest): Promise<TextReply> {
  const reply = await fetch(url, {
    ...request,
    ...(body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  })
  return { status: reply.status, requestId: reply.headers.get('x-request-id') ?? '', text: await reply.text() }
}
