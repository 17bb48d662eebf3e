import { parseStored } from './formats.js'
import type { PreparedState } from './schemas.js'

/** A document that was read ahead of the write that needs it, for to read a large one takes long. */
export interface DocumentAhead {
  readonly document: PreparedState
  /** The document as it is when the write asks: nearly always still the same. */
  readonly again: () => PreparedState
}

/**
 * Reads a document that is kept ahead of a write.
 * @param read reads its text (JSON); null if there is none, then another stands for it
 */
export function readAhead(read: () => string | null, otherwise: PreparedState = {}): DocumentAhead {
  const text = read()
  const parse = (kept: string | null) => (kept === null ? otherwise : parseStored(kept))
  const document = parse(text)
  const again = () => {
    const now = read()
    return now === text ? document : parse(now)
  }
  return { document, again }
}
