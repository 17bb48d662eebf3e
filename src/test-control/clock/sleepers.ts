import { wallTime } from '../../lib/time.js'
import { type ControlPlane, originOf } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { Sleepers } from '../../sim/sleepers.js'

/** Those who sleep by the clock of a sandbox. */
export function sleepersOf(plane: ControlPlane, sandbox: Sandbox): Sleepers {
  const { engine } = plane
  return (sandbox.sleepers ??= new Sleepers({
    read: () => {
      // Reading the time may set a clock that was ahead of the machine's.
      const now = engine.now(sandbox)
      return { clock: sandbox.clock, now }
    },
    move: (to, id) =>
      plane.writeInSlices({ sandbox, id }, function* ({ now }) {
        if (to > now) yield* engine.moveClock(sandbox, to)
      }),
    setMode: (mode) =>
      plane.write(originOf(sandbox), ({ now }) =>
        engine.setClock(sandbox, { ...sandbox.clock, mode, base: now, anchor: wallTime() })
      )
  }))
}
