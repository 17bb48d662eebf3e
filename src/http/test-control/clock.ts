import { AdvanceSchema, ClockSchema, ClockSettingSchema, MovedSchema, SleepSchema } from '../../sim/clock-schemas.js'
import {
  type Advance,
  advanceClock,
  type ClockSetting,
  type Moved,
  readClock,
  setClock
} from '../../test-control/clock/clock.js'
import { type SleepSetting, sleepUntil } from '../../test-control/clock/sleep.js'
import { Connections } from './connections.js'
import { addControl, type ControlRoutes } from './route.js'

const tag = 'Clock'

export const clockRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/clock',
    {
      operationId: 'readClock',
      tag,
      summary: 'Read the clock',
      result: ClockSchema
    },
    ({ sandbox }) => {
      const clock = readClock(plane, sandbox)
      return { message: `It is ${clock.now}.`, result: clock }
    }
  )

  addControl(
    app,
    'PUT',
    '/clock',
    {
      operationId: 'setClock',
      tag,
      summary: 'Set the clock, and run everything due by then',
      body: ClockSettingSchema,
      result: MovedSchema
    },
    async (request) => moved(await setClock(plane, request, request.body as ClockSetting))
  )

  addControl(
    app,
    'POST',
    '/clock/advance',
    {
      operationId: 'advanceClock',
      tag,
      summary: 'Move the clock forward, and run everything due on the way',
      body: AdvanceSchema,
      result: MovedSchema
    },
    async (request) => moved(await advanceClock(plane, request, request.body as Advance))
  )

  const connections = new Connections()
  // The server waits for its requests when it closes, and these may take for ever.
  app.addHook('preClose', (closed) => {
    connections.end()
    closed()
  })

  addControl(
    app,
    'POST',
    '/clock/sleep',
    {
      operationId: 'sleep',
      tag,
      summary: 'Wait until the clock has reached a moment',
      description: SLEEP_DESCRIPTION,
      body: SleepSchema,
      result: ClockSchema,
      isRead: true,
      isWaiting: true
    },
    async (request, reply) => {
      const connection = connections.signalOf(request.raw.socket)
      const clock = await sleepUntil(plane, request, request.body as SleepSetting, connection).finally(() => {
        // A server that stops waits until its connections are closed.
        if (connection.aborted) void reply.header('connection', 'close')
      })
      return { message: `It is ${clock.now}.`, result: clock }
    }
  )

  done()
}

const SLEEP_DESCRIPTION = `Virtual time for a client: the caller sleeps until the call is answered.

- On a clock that stands still (modes \`frozen\` and \`poll\`), time jumps to the next of these moments as soon as all
  participants sleep and no other request is under way. If somebody stays awake, time passes as by the machine's clock.
- On a clock in mode \`real\`, the moment comes by itself.
- A participant is one from its first call until the connection of its last call closes. It is awake while no call of
  it waits; another call ends the one that waits.`

const moved = (result: Moved) => ({
  message: `It is ${result.clock.now}; events run: ${result.fired.length + (result.omitted ?? 0)}.`,
  result
})
