import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/test-control/clock/clock.ts',
    line: "if (named.length > NAMED_TRANSITIONS) named[NAMED_TRANSITIONS] = 'and others'",
    replacement: 'named.length >= NAMED_TRANSITIONS',
    reason: 'It only changes the words of an error.'
  },
  {
    file: 'src/test-control/clock/clock.ts',
    line: "if (named.length > NAMED_TRANSITIONS) named[NAMED_TRANSITIONS] = 'and others'",
    replacement: '""',
    reason: 'It only changes the words of an error.'
  },
  {
    file: 'src/test-control/clock/clock.ts',
    line: "if (typeof status !== 'string' || !states.includes(fromWire(status)))",
    replacement: 'false',
    reason: 'What is no text is no state either; the condition is for the compiler.'
  },
  {
    file: 'src/test-control/handle/call.ts',
    line: '} catch {',
    replacement: '{}',
    reason: 'A function that ends without a value returns undefined.'
  },
  {
    file: 'src/test-control/handle/call.ts',
    line: '...(body === undefined ? {} : { body: JSON.stringify(body) })',
    replacement: 'false',
    reason: 'The JSON text of undefined is undefined, and fetch() sends no body then.'
  },
  {
    file: 'src/test-control/report/left-behind.ts',
    line: "message: 'Restore jobs have not ended; wait for them.'",
    replacement: '""',
    reason: 'It only changes the words of a finding.'
  },
  {
    file: 'src/test-control/report/report.ts',
    line: 'if (isTimeUp()) yield',
    replacement: 'false',
    reason: 'It decides when others have their turn; the other two yields do so as well.'
  },
  {
    file: 'src/test-control/report/retries.ts',
    line: 'earlier.outcome.error?.message === later.outcome.error?.message',
    replacement: 'earlier.outcome.error.message',
    reason: 'A reply with a 4xx has an error; the condition is for the compiler.'
  },
  {
    file: 'src/test-control/report/retries.ts',
    line: 'earlier.outcome.error?.message === later.outcome.error?.message',
    replacement: 'later.outcome.error.message',
    reason: 'A reply with a 4xx has an error; the condition is for the compiler.'
  },
  {
    file: 'src/test-control/report/retries.ts',
    line: "(${run[0]!.outcome.error?.message ?? ''})",
    replacement: 'run[0]!.outcome.error.message',
    reason: 'A reply with a 4xx has an error; the condition is for the compiler.'
  },
  {
    file: 'src/test-control/report/retries.ts',
    line: "(${run[0]!.outcome.error?.message ?? ''})",
    replacement: '"Stryker was here!"',
    reason: 'A reply with a 4xx has an error; the condition is for the compiler.'
  },
  {
    file: 'src/test-control/report/transient-states.ts',
    line: ".find(({ at, attribute, from }) => attribute === 'status' && from === status && at >= request.at)",
    replacement: 'true',
    reason: 'No other attribute of a workspace has a state of this name.'
  },
  {
    file: 'src/test-control/requests/events.ts',
    line: 'const steps: Step[] = []',
    replacement: '["Stryker was here"]',
    reason: 'A text is none of the steps that are looked for.'
  },
  {
    file: 'src/test-control/requests/verify.ts',
    line: 'if (differences.length === 0 || differences.length === enough) continue',
    replacement: 'false',
    reason: 'A call that differs no less than the last one kept comes after it, and is cut off.'
  },
  {
    file: 'src/test-control/sandboxes/state.ts',
    line: "by: 'reset',",
    replacement: '""',
    reason: 'Only recordings say what has replaced a sandbox; their tests notice it.'
  }
]
