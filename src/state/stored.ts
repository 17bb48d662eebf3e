import type { DocumentStore } from '../sandboxes/documents.js'
import { parseStored } from './formats.js'
import type { PreparedState } from './schemas.js'

/** A document that was read ahead of the write that needs it, because reading a large one takes long. */
interface DocumentAhead {
  readonly document: PreparedState
  /** The document as it is when the write asks: nearly always still the same. */
  readonly again: () => PreparedState
}

/**
 * Reads a document that is kept ahead of a write.
 * @param find finds its key; null if there is none, then another stands for it
 */
export function readAhead(
  documents: DocumentStore,
  find: () => number | null,
  otherwise: PreparedState = {}
): DocumentAhead {
  const key = find()
  const read = (found: number | null) => (found === null ? otherwise : parseStored(documents.read(found)!))
  const document = read(key)
  const again = () => {
    const now = find()
    return now === key ? document : read(now)
  }
  return { document, again }
}
