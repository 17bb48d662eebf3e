import { addControl, type ControlRoutes } from './route.js'

const tag = 'Watching'

export const recordingRoutes: ControlRoutes = (app, { plane }, done) => {
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
      const { recordingFromMemory } = await import('../../recording/from-memory.js')
      return jsonLines(recordingFromMemory(plane, sandbox))
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
      const { viewFromMemory } = await import('../../recording/from-memory.js')
      return jsonLines(await viewFromMemory(plane, sandbox))
    }
  )

  done()
}

const jsonLines = (content: string) => ({
  message: 'A recording.',
  document: { type: 'application/x-ndjson; charset=utf-8', content }
})
