import { Readable } from 'node:stream'
import { ServiceError } from '../../interface/errors.js'
import { addOwnCall, type ControlRoutes, sendBare } from './route.js'

/** Those who may read recordings at a time: each has a copy of a sandbox in memory. */
const MOST_READERS = 4

/** Sends texts as they are made, as fast as the reader takes them, and no further when it has left. */
export const recordingRoutes: ControlRoutes = (app, { plane }, done) => {
  let readers = 0

  for (const [name, read] of [
    ['readRecording', 'piecesFromMemory'],
    ['readSteps', 'stepsFromMemory']
  ] as const)
    addOwnCall(app, plane, name, async ({ sandbox }, { method }, reply) => {
      const memory = await import('../../recording/from-memory.js')
      memory.assertRemembers(sandbox)
      if (readers >= MOST_READERS)
        throw new ServiceError('unavailable', `${MOST_READERS} others are reading recordings; try again in a moment.`)
      const pieces = method === 'HEAD' ? [] : memory[read](plane, sandbox, () => content.destroyed)
      const content: Readable = Readable.from(pieces, { objectMode: false }).once('close', () => {
        readers--
      })
      readers++
      return sendBare(reply, 'application/x-ndjson', content)
    })

  done()
}
