/** The recordings that `svc-mock show` writes into the page. */
export interface Recordings {
  readonly recordings: readonly { readonly name: string; readonly path: string }[]
  /** Index of the one that this page shows. */
  readonly shown: number
}

export function readRecordings(): Recordings | undefined {
  const text = document.getElementById('recordings')?.textContent
  return text === undefined ? undefined : (JSON.parse(text) as Recordings)
}

/** Reads the steps of the recording, from the page itself or from the server. @throws with a message for the reader */
export async function readSteps(): Promise<string> {
  const own = document.getElementById('steps')?.textContent
  if (own !== undefined) return own
  const reply = await fetch(`steps${location.search}`, { cache: 'no-store' }).catch(() => {
    throw new Error('svc-mock show does not respond.')
  })
  const text = await reply.text().catch(() => {
    throw new Error('The recording cannot be read to its end.')
  })
  if (!reply.ok) throw new Error((JSON.parse(text) as { Message: string }).Message)
  return text
}
