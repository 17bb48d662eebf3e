import type { ControlPlane } from '../control-plane.js'
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
 * Reads a document that is kept ahead of a write. If it is short, that is done when this returns, so that the write
 * keeps its place among others.
 * @param find finds its key; null if there is none, then another stands for it
 */
export function readAhead(
  { documents, pacer }: Pick<ControlPlane, 'documents' | 'pacer'>,
  find: () => number | null,
  otherwise: PreparedState = {}
): DocumentAhead | Promise<DocumentAhead> {
  const key = find()
  if (key === null) return ahead(otherwise)
  const text = documents.read(key)!
  return text.length <= LONG ? ahead(finish(parseStored(text))) : pacer.run(parseStored(text)).then(ahead)

  function ahead(document: PreparedState): DocumentAhead {
    const again = () => {
      const now = find()
      if (now === key) return document
      return now === null ? otherwise : finish(parseStored(documents.read(now)!))
    }
    return { document, again }
  }
}
