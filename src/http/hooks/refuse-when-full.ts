import type { ControlPlane } from '../../resources/control-plane.js'
import { isControl } from '../operation.js'
import type { OnRequest } from '../request-context.js'

/** Control API paths that make a sandbox larger. The others may be needed to make room. */
const LARGER: ReadonlySet<string> = new Set(['/_mock/state', '/_mock/seed', '/_mock/snapshots/:name'])

/** Refuses requests that would write more when the database is close to its limit. Reads and deletions still work. */
export function refuseWhenFull(plane: Pick<ControlPlane, 'requireRoom'>): OnRequest {
  return ({ method, route: { url = '', config } }, _reply, done) => {
    const isLarger =
      (method === 'POST' || method === 'PUT') && config.isRead !== true && (!isControl(url) || LARGER.has(url))
    if (isLarger) plane.requireRoom()
    done()
  }
}
