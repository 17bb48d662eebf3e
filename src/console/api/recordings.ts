/** The recordings that a page can show, if it shows recordings. The server writes them into it. */
export interface Recordings {
  readonly recordings: readonly { readonly name: string; readonly path: string }[]
  /** The one that this page shows. */
  readonly shown: number
}

export function readRecordings(): Recordings | undefined {
  const text = document.getElementById('recordings')?.textContent
  return text === undefined ? undefined : (JSON.parse(text) as Recordings)
}

/**
 * Reads the view of the recording: from the page itself, if that has all that it shows, or from the server.
 * @throws an error with a message for the reader
 */
export async function readSteps(): Promise<string> {
  const own = document.getElementById('steps')?.textContent
  if (own !== undefined) return own
  const reply = await fetch(`steps${location.search}`, { cache: 'no-store' }).catch(() => {
    throw new Error('svc-mock show does not answer.')
  })
  const text = await reply.text().catch(() => {
    throw new Error('The recording cannot be read to its end.')
  })
  if (!reply.ok) throw new Error((JSON.parse(text) as { Message: string }).Message)
  return text
}
