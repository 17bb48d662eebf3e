import { Type } from '@sinclair/typebox'
import { defineCall } from './control-call.js'

// HTTP answers these calls, with streams or bare text.

const tag = 'Watching'

export const RECORDING_CALLS = [
  defineCall({
    name: 'readRecording',
    method: 'GET',
    path: '/recording',
    tag,
    summary: 'Read a recording of the part that memory holds',
    description: 'JSON lines (application/x-ndjson), which `svc-mock recording` reads.',
    bareType: 'application/x-ndjson',
    program: undefined,
    command: {
      usage: 'recording',
      help: 'Print a recording of the part that memory holds, for svc-mock recording.',
      examples: ['recording > run.svcmock']
    }
  }),

  defineCall({
    name: 'readSteps',
    method: 'GET',
    path: '/recording/steps',
    tag,
    summary: 'Read the steps of a recording of the part that memory holds, as the console shows them',
    description:
      'JSON lines (application/x-ndjson). The first one has the state document of the beginning, each of the ' +
      'others a step and how it changed that document.',
    bareType: 'application/x-ndjson',
    program: undefined
  })
]

export const WATCHING_CALLS = [
  defineCall({
    name: 'streamEvents',
    method: 'GET',
    path: '/stream',
    tag,
    summary: 'Stream events as they happen',
    description: `Server-sent events. The data of each is one line of JSON:

- \`state\`: a write was committed. \`changed\` and \`removed\` list workgroups, databases and workspaces,
  \`timeline\` state changes, \`tables\` all changed tables. Without \`complete\`, there were too many
  changes, or the journal is off.
- \`request\`: a request of the interface was answered.
- \`clock\`: the clock was set or moved; as in \`GET /_mock/clock\`.
- \`reset\`: the sandbox was replaced as a whole, or its journal or coverage was cleared.
- \`resync\`: the listener has missed events, and must read everything again. A stream starts with it, unless it
  continues after Last-Event-ID.`,
    streamType: 'text/event-stream',
    isWaiting: true,
    headers: Type.Object({
      'last-event-id': Type.Optional(
        Type.String({ description: 'Id of the last event received; the stream continues after it.' })
      )
    }),
    program: undefined
  }),

  defineCall({
    name: 'readMetrics',
    method: 'GET',
    path: '/metrics',
    tag,
    summary: 'Read the metrics of the server',
    description: 'OpenMetrics text (application/openmetrics-text), for Prometheus and the like.',
    isAcrossSandboxes: true,
    isProbe: true,
    bareType: 'application/openmetrics-text',
    program: undefined
  })
]
