import { defineActions, fieldsOf } from '../tool.js'

const FORWARD = ['by', 'to', 'until', 'max'] as const
const SETTING = ['mode', 'now', 'rate'] as const

export const clockTool = defineActions({
  name: 'clock',
  title: 'Clock',
  description: `The clock of the sandbox. Transitions such as Creating, Resuming or Resizing end by it, so move it
rather than wait.

- advance: move it forward and run everything due on the way, with exactly one of by ("30s", "1h30m"), to (a
  timestamp) and until ("idle": no transition is under way; or {"workspace_id": "…", "status": "Active"}). If an until
  is not reached within max, nothing changes. The result lists the events that fired.
- set: mode frozen (time stands still), poll (each read of a workspace leads to its next state) or real, with a rate.
- read: the time and the mode.`,
  input: { ...fieldsOf('advanceClock', FORWARD), ...fieldsOf('setClock', SETTING) },
  actions: {
    advance: { takes: FORWARD, run: (input, { control }) => control('advanceClock', input) },
    set: { takes: SETTING, run: (input, { control }) => control('setClock', input) },
    read: { run: (_, { control }) => control('readClock') }
  }
})
