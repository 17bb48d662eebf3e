import { Readable } from 'node:stream'
import { ServiceError } from '../../lib/errors.js'
import type { Slices } from '../../lib/slices.js'
import { addControl, type ControlRoutes } from './route.js'

const tag = 'Watching'

/** Those who may read recordings at a time: each has a copy of a sandbox in memory. */
const MOST_READERS = 4
/** Characters that are sent at once. */
const PIECE = 64 * 1024

/** Lines, and undefined between two slices of work. */
type Lines = Generator<string | undefined, void>

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
    async ({ sandbox }) => {
      const { linesFromMemory } = await import('../../recording/from-memory.js')
      return read(() => linesFromMemory(plane, sandbox).lines)
    }
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
    async ({ sandbox }) => {
      const { stepsFromMemory } = await import('../../recording/from-memory.js')
      return read(() => stepsFromMemory(plane, sandbox))
    }
  )

  done()

  /**
   * Sends lines as they are made, as fast as the reader takes them, and no further when it has left.
   * @throws {ServiceError} `unavailable` if there are too many readers
   */
  async function read(open: () => Lines | Promise<Lines>) {
    if (readers >= MOST_READERS)
      throw new ServiceError('unavailable', `${MOST_READERS} others are reading recordings; try again in a moment.`)
    readers++
    let lines: Lines | undefined
    const end = () => {
      readers--
      lines?.return()
    }
    try {
      // The beginning is read at once, and others must get their turn between two readers.
      await new Promise<void>((resolve) => {
        plane.pacer.add(resolve)
      })
      lines = await open()
    } catch (error) {
      end()
      throw error
    }
    const content = Readable.from(piecesOf(lines), { objectMode: false }).once('close', end)
    return { message: 'A recording.', document: { type: 'application/x-ndjson; charset=utf-8', content } }
  }

  async function* piecesOf(lines: Lines): AsyncGenerator<string> {
    for (;;) {
      const piece = await plane.pacer.run(pieceOf(lines))
      if (piece === '') return
      yield piece
    }
  }
}

/** The next lines, of a length that can be sent at once; empty: there are none. */
function* pieceOf(lines: Lines): Slices<string> {
  let piece = ''
  while (piece.length < PIECE) {
    const { done, value } = lines.next()
    if (done === true) break
    if (value === undefined) yield
    else piece += `${value}\n`
  }
  return piece
}
