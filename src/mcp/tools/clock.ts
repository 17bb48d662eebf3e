import { enumeration } from '../../interface/schemas.js'
import { argumentsOf, defineTool, fieldsOf } from '../tool.js'

const FORWARD = ['by', 'to', 'until', 'max'] as const
const SETTING = ['mode', 'now', 'rate'] as const

export const clockTool = defineTool({
  name: 'clock',
  title: 'Clock',
  description: `The clock of the sandbox. Transitions such as Creating, Resuming or Resizing end by it, so move it
rather than wait.

- advance: move it forward and run everything due on the way, with exactly one of by ("30s", "1h30m"), to (a
  timestamp) and until ("idle": no transition is under way; or {"workspace_id": "…", "status": "Active"}). If an until
  is not reached within max, nothing changes. The result lists the events that fired.
- set: mode frozen (time stands still), poll (each read of a workspace leads to its next state) or real, with a rate.
- read: the time and the mode.`,
  input: {
    action: enumeration(['advance', 'set', 'read'], 'What to do.'),
    ...fieldsOf('advanceClock', FORWARD),
    ...fieldsOf('setClock', SETTING)
  },
  run: async (input, { control }) => {
    const { action } = input
    switch (action) {
      case 'advance':
        return control('advanceClock', argumentsOf(input, action, FORWARD))
      case 'set':
        return control('setClock', argumentsOf(input, action, SETTING))
      case 'read':
        argumentsOf(input, action, [])
        return control('readClock')
    }
  }
})
