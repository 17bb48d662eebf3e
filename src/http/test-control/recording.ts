import { Readable } from 'node:stream'
import { ServiceError } from '../../interface/errors.js'
import { addControl, type ControlRequest, type ControlRoutes } from './route.js'

const tag = 'Watching'

/** Those who may read recordings at a time: each has a copy of a sandbox in memory. */
const MOST_READERS = 4
export const recordingRoutes: ControlRoutes = (app, { plane }, done) => {
  let readers = 0

  addControl(
    app,
    'GET',
    '/recording',
    {
      operationId: 'readRecording',
      tag,
      summary: 'Read a recording of what memory still has',
      bareType: 'application/x-ndjson',
      description: 'JSON lines (application/x-ndjson), which `svc-mock recording` reads.'
    },
    (request) => send(request, 'piecesFromMemory')
  )

  addControl(
    app,
    'GET',
    '/recording/steps',
    {
      operationId: 'readSteps',
      tag,
      summary: 'Read the steps of that recording, as the console shows them',
      bareType: 'application/x-ndjson',
      description:
        'JSON lines (application/x-ndjson). The first one has the state document of the beginning, each of the ' +
        'others a step and how it changed that document.'
    },
    (request) => send(request, 'stepsFromMemory')
  )

  done()

  /**
   * Sends a text as it is made, as fast as the reader takes it, and no further when it has left.
   * @throws {ServiceError} `unavailable` if there are too many readers
   */
  async function send({ sandbox, method }: ControlRequest, read: 'piecesFromMemory' | 'stepsFromMemory') {
    const memory = await import('../../recording/from-memory.js')
    memory.assertRemembers(sandbox)
    if (readers >= MOST_READERS)
      throw new ServiceError('unavailable', `${MOST_READERS} others are reading recordings; try again in a moment.`)
    const pieces = method === 'HEAD' ? [] : memory[read](plane, sandbox, () => content.destroyed)
    const content: Readable = Readable.from(pieces, { objectMode: false }).once('close', () => {
      readers--
    })
    readers++
    return { message: 'A recording.', document: { type: 'application/x-ndjson; charset=utf-8', content } }
  }
}
