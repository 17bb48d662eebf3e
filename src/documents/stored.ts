import { parseJson } from '../interface/json-pieces.js'
import { finish, type Scheduler, type Slices } from '../lib/scheduler.js'
import { whenReady } from '../lib/when-ready.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { PreparedState } from './schemas.js'

// A stored document was checked before.
const parseStored = (text: string) => parseJson(text) as Slices<PreparedState>

/** Longer documents are read in slices. */
const LONG = 64 * 1024

/**
 * Parses a stored document ahead of a write. Returns a short one synchronously, so that the write keeps its place in
 * the queue.
 */
export function parseAhead(scheduler: Scheduler, text: string): PreparedState | Promise<PreparedState> {
  const parsing = parseStored(text)
  return text.length <= LONG ? finish(parsing) : scheduler.run(parsing)
}

/**
 * Reads a stored document ahead of the write that needs it, because reading a large one takes long.
 * @param find finds its key; null if there is none and `otherwise` takes its place
 */
export function readAhead(
  { documents, scheduler }: Pick<ControlPlane, 'documents' | 'scheduler'>,
  find: () => number | null,
  otherwise: PreparedState = {}
) {
  const key = find()
  return whenReady(key === null ? otherwise : parseAhead(scheduler, documents.read(key)!), (document) => ({
    document,
    /** The document at the time of the write, which is nearly always the same. */
    again: (): PreparedState => {
      const now = find()
      if (now === key) return document
      return now === null ? otherwise : finish(parseStored(documents.read(now)!))
    }
  }))
}
