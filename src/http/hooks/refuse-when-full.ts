import type { ControlPlane } from '../../control-plane.js'
import { isControl } from '../operation.js'
import type { OnRequest } from '../request-context.js'

/** What of the control API makes a sandbox larger; all else there may be what makes room. */
const LARGER: ReadonlySet<string> = new Set(['/_mock/state', '/_mock/seed', '/_mock/snapshots/:name'])

/**
 * Refuses requests that would write more while the database has nearly reached its limit. What reads or deletes goes
 * on.
 */
export function refuseWhenFull(plane: Pick<ControlPlane, 'requireRoom'>): OnRequest {
  return ({ method, route: { url = '', config } }, _reply, done) => {
    const isLarger =
      (method === 'POST' || method === 'PUT') && config.isRead !== true && (!isControl(url) || LARGER.has(url))
    if (isLarger) plane.requireRoom()
    done()
  }
}
