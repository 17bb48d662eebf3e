import type { ControlPlane } from '../control-plane.js'
import type { Pacer } from '../lib/pacer.js'
import { finish } from '../lib/slices.js'
import { parseStored } from './formats.js'
import type { PreparedState } from './schemas.js'

/** A document that was read ahead of the write that needs it, because reading a large one takes long. */
interface DocumentAhead {
  readonly document: PreparedState
  /** The document as it is when the write asks: nearly always still the same. */
  readonly again: () => PreparedState
}

/** Longer documents are read in slices. */
const LONG = 64 * 1024

/**
 * Parses a document that is kept, ahead of a write. If it is short, that is done when this returns, so that the write
 * keeps its place among others.
 */
export function parseAhead(pacer: Pacer, text: string): PreparedState | Promise<PreparedState> {
  const parsing = parseStored(text)
  return text.length <= LONG ? finish(parsing) : pacer.run(parsing)
}

/**
 * Reads a document that is kept, ahead of a write, as {@link parseAhead} does.
 * @param find finds its key; null if there is none, then another stands for it
 */
export function readAhead(
  { documents, pacer }: Pick<ControlPlane, 'documents' | 'pacer'>,
  find: () => number | null,
  otherwise: PreparedState = {}
): DocumentAhead | Promise<DocumentAhead> {
  const key = find()
  if (key === null) return ahead(otherwise)
  const parsed = parseAhead(pacer, documents.read(key)!)
  return parsed instanceof Promise ? parsed.then(ahead) : ahead(parsed)

  function ahead(document: PreparedState): DocumentAhead {
    const again = () => {
      const now = find()
      if (now === key) return document
      return now === null ? otherwise : finish(parseStored(documents.read(now)!))
    }
    return { document, again }
  }
}
