import { AdvanceSchema, ClockSchema, ClockSettingSchema, MovedSchema } from '../../sim/clock-schemas.js'
import {
  type Advance,
  advanceClock,
  type ClockSetting,
  type Moved,
  readClock,
  setClock
} from '../../test-control/clock/clock.js'
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

  done()
}

const moved = (result: Moved) => ({
  message: `It is ${result.clock.now}; events run: ${result.fired.length + (result.omitted ?? 0)}.`,
  result
})
