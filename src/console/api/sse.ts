/** An event as the stream sends it. */
export interface RawEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Parses server-sent events as they arrive. (EventSource cannot send a key in a header.) */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<RawEvent | 'alive'> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text += value
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const fields = fieldsOf(block)
        yield fields.size === 0
          ? 'alive'
          : { id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' }
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  return fields
}
