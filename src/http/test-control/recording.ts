import { addControl, type ControlRoutes } from './route.js'

export const recordingRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/recording',
    {
      operationId: 'readRecording',
      tag: 'Watching',
      summary: 'Read a recording of what memory still has',
      bareType: 'application/x-ndjson',
      description: 'JSON lines (application/x-ndjson), which `svc-mock recording` reads.'
    },
    async ({ sandbox }) => {
      const { recordingFromMemory } = await import('../../recording/from-memory.js')
      const content = recordingFromMemory(plane, sandbox)
      return { message: 'A recording.', document: { type: 'application/x-ndjson; charset=utf-8', content } }
    }
  )

  done()
}
