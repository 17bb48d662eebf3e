interface JsonRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** A complete reply. */
export interface TextReply {
  readonly status: number
  readonly requestId: string
  readonly text: string
}

/** Sends a request with a JSON body. @throws the error of `fetch` if there is no complete reply */
export async function sendJson(url: string, { body, headers, ...request }: JsonRequest): Promise<TextReply> {
  const reply = await fetch(url, {
    ...request,
    ...(body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })
  })
  return { status: reply.status, requestId: reply.headers.get('x-request-id') ?? '', text: await reply.text() }
}
