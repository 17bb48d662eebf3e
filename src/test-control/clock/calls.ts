import { DURATION_FORMS } from '../../lib/time.js'
import { CLOCK_MODES } from '../../sim/clock.js'
import { AdvanceSchema, ClockSchema, ClockSettingSchema, MovedSchema, SleepSchema } from '../../sim/clock-schemas.js'
import { defineCall } from '../control-call.js'
import { advanceClock, type Moved, readClock, setClock } from './clock.js'

const tag = 'Clock'

export const CLOCK_CALLS = [
  defineCall({
    name: 'readClock',
    method: 'GET',
    path: '/clock',
    tag,
    summary: 'Read the clock',
    result: ClockSchema,
    program: { name: 'clock.read' },
    command: { usage: 'clock', examples: ['clock'] },
    run: ({ plane, sandbox }) => readClock(plane, sandbox)
  }),

  defineCall({
    name: 'setClock',
    method: 'PUT',
    path: '/clock',
    tag,
    summary: 'Set the clock, and run everything due by then',
    body: ClockSettingSchema,
    result: MovedSchema,
    program: { name: 'clock.set', throws: 'if `now` is before the newest change' },
    command: {
      usage: 'clock set',
      help: 'Set the clock. Omitted flags, except for --patience, keep their values.',
      flags: {
        mode: { value: CLOCK_MODES.join('|'), help: 'How time passes.' },
        now: { value: 'TIMESTAMP', help: 'The time that it shows, such as 2027-01-01T00:00:00Z.' },
        rate: { value: 'FACTOR', help: 'Seconds per second of the machine, in mode real.' },
        patience: { value: 'DURATION', help: 'How long a frozen clock stands still unless all participants sleep.' }
      },
      examples: ['clock set --mode frozen --now 2027-01-01T00:00:00Z', 'clock set --mode real --rate 60']
    },
    run: (call) => setClock(call.plane, call, call.body),
    says: moved
  }),

  defineCall({
    name: 'advanceClock',
    method: 'POST',
    path: '/clock/advance',
    tag,
    summary: 'Move the clock forward, and run everything due on the way',
    body: AdvanceSchema,
    result: MovedSchema,
    program: { name: 'clock.advance', throws: 'if the time is in the past, or an `until` is not reached' },
    command: {
      usage: 'clock advance',
      help: 'Move the clock: by a duration, to a time, or until something has happened.',
      flags: {
        by: { value: 'DURATION', help: `How far, ${DURATION_FORMS}.` },
        to: { value: 'TIMESTAMP', help: 'A time that has not passed, such as 2027-01-01T00:00:00Z.' },
        until: { value: 'idle|WORKSPACE=STATUS', help: 'No transition is under way, or a workspace has a status.' },
        max: { value: 'DURATION', help: 'How far an --until may go; 1d by default.' }
      },
      examples: [
        'clock advance --by 1h30m',
        'clock advance --until idle',
        'clock advance --until writer=Stopped --max 10m'
      ]
    },
    run: (call) => advanceClock(call.plane, call, call.body),
    says: moved
  }),

  defineCall({
    name: 'sleep',
    method: 'POST',
    path: '/clock/sleep',
    tag,
    summary: 'Wait until the clock has reached a moment',
    description: `Virtual time for a client: the caller sleeps until the call is answered.

- On a clock that stands still (modes \`frozen\` and \`poll\`), time jumps to the next of these moments as soon as all
  participants sleep and no other request is under way. While one is awake, time passes at the machine's pace.
- On a clock in mode \`real\`, the moment comes by itself.
- A participant exists from its first call until the connection of its last call closes. It is awake while none of its
  calls waits; a new call ends the waiting one.`,
    isRead: true,
    isWaiting: true,
    body: SleepSchema,
    result: ClockSchema,
    program: undefined
  })
]

function moved({ clock, fired, omitted = 0 }: Moved): string {
  return `It is ${clock.now}; events run: ${fired.length + omitted}.`
}
