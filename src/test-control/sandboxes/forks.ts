import { applyState } from '../../documents/apply.js'
import { rowsOf } from '../../documents/size.js'
import { parseAhead } from '../../documents/stored.js'
import { invalidBody, ServiceError } from '../../interface/errors.js'
import type { Shape } from '../../interface/schemas.js'
import { sandboxIdOf } from '../../lib/secrets.js'
import { addDuration, DURATION_FORMS, parseDuration, toTimestamp, wallTime } from '../../lib/time.js'
import { whenReady } from '../../lib/when-ready.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { assertNotRemoved, type Filling } from '../../sandboxes/registry.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { freshSeed } from '../../sim/random.js'
import { BASELINE, type NewSandboxSchema } from './schemas.js'
import { documentOf } from './snapshots.js'

/**
 * Creates a sandbox with its own key from a snapshot or the baseline of another sandbox. That is also its own baseline.
 * @throws {ServiceError} if there is no such snapshot, there would be too many sandboxes, or only one is possible
 * (`--auth off`)
 */
export async function forkSandbox(
  plane: ControlPlane,
  sandbox: Sandbox,
  { from = BASELINE, ttl }: Shape<typeof NewSandboxSchema>
) {
  if (plane.options.auth === 'off')
    throw new ServiceError(
      'notAllowed',
      'With --auth off there is one sandbox, and no key that could name another; use --auth any.'
    )
  // The sandbox may have been removed while the body arrived.
  assertNotRemoved(sandbox)
  const expires = ttl === undefined ? undefined : timeAfter(wallTime(), 'ttl', ttl)
  const baseline = from === BASELINE ? plane.sandboxes.store.baseline(sandbox.key) : documentOf(plane, sandbox, from)
  const key = `fork_${freshSeed()}`
  await whenReady(baseline === null ? undefined : startingAs(plane, baseline), (filling) =>
    plane.sandboxes.create(sandboxIdOf(key), {
      ...(expires !== undefined && { expires }),
      ...(filling !== undefined && { filling })
    })
  )
  return { key, expires_at: expires === undefined ? null : toTimestamp(expires) }
}

/** Starts a sandbox from a stored document, which also becomes its baseline. */
function startingAs(plane: ControlPlane, key: number): Filling | Promise<Filling> {
  const text = plane.documents.read(key)!
  return whenReady(parseAhead(plane.scheduler, text), (document): Filling => ({
    rows: () => rowsOf(document),
    fill: function* (sandbox) {
      // The document may have been deleted meanwhile, with everything that referred to it.
      plane.sandboxes.store.saveBaseline(sandbox.key, plane.documents.has(key) ? key : plane.documents.save(text))
      yield* applyState(plane, sandbox, document, 'seed')
    }
  }))
}

/** Adds a duration to a time. @throws {ServiceError} `invalidBody` if it is not a duration, or zero */
export function timeAfter(start: number, field: string, duration: string): number {
  const parsed = parseDuration(duration)
  const end = parsed === undefined ? start : addDuration(start, parsed)
  if (end > start) return end
  throw invalidBody([{ field, reason: `must be a duration ${DURATION_FORMS}, and more than zero` }])
}
