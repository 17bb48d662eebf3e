import { ServiceError } from '../../interface/errors.js'
import type { Shape } from '../../interface/schemas.js'
import { toTimestamp } from '../../lib/time.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { SandboxFilterSchema } from './schemas.js'

/** Default number of sandboxes per list. */
const PAGE = 100

/** Digits of a hash that identify a sandbox. */
const ID_DIGITS = 12

/** The sandboxes of the server, in order of creation. */
export function listSandboxes({ sandboxes, sandboxNames }: ControlPlane, filter: Shape<typeof SandboxFilterSchema>) {
  const { after = 0, limit = PAGE } = filter
  // One more tells whether there are further ones.
  const rows = sandboxes.store.list(after, limit + 1)
  const page = rows.slice(0, limit)
  return {
    sandboxes: page.map(({ id, created, lastUsed, expires, workgroups, workspaces }) => {
      const loaded = sandboxes.loaded.peek(id)
      return {
        id: id.slice(0, ID_DIGITS),
        name: sandboxNames.get(id) ?? null,
        created_at: toTimestamp(created),
        last_used_at: toTimestamp(loaded?.lastUsed ?? lastUsed),
        expires_at: expires === null ? null : toTimestamp(expires),
        workgroups,
        workspaces
      }
    }),
    total: sandboxes.store.count(),
    next: rows.length > limit ? page.at(-1)!.key : null
  }
}

/** @throws {ServiceError} `forbidden` without `--control-token`, which allows callers to see all sandboxes */
export function requireToken({ options }: ControlPlane): void {
  if (options.controlToken !== '') return
  throw new ServiceError(
    'forbidden',
    'This call is about all sandboxes, so the server must have a --control-token, and the call must send it ' +
      'as X-Mock-Token.'
  )
}
