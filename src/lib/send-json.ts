import { bare } from './call-site.js'

interface JsonRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, from {@link jsonOf}. */
  readonly json: string | undefined
  readonly signal?: AbortSignal
}

/** A complete reply. */
export interface TextReply {
  readonly status: number
  readonly requestId: string
  readonly text: string
}

/**
 * The JSON of a request's body; undefined if there is none.
 * @throws {TypeError} if JSON cannot hold it, as with a bigint, or an object that contains itself
 */
export function jsonOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body)
  } catch (error) {
    // Further lines show the way to an object that contains itself.
    const [reason] = (error as Error).message.split('\n')
    throw bare(new TypeError(`the body cannot be sent as JSON: ${reason}`, { cause: error }))
  }
}

/** Sends a request with a JSON body. @throws the error of `fetch` if there is no complete reply */
export async function sendJson(url: string, { json, headers, ...request }: JsonRequest): Promise<TextReply> {
  const reply = await fetch(url, {
    ...request,
    ...(json === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body: json })
  })
  return { status: reply.status, requestId: reply.headers.get('x-request-id') ?? '', text: await reply.text() }
}
