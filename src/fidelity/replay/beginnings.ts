import type { Call } from '../api.js'
import type { Exchange } from '../exchange.js'
import type { OwnReply } from '../twin.js'
import type { Session } from './session.js'
import { BEGUN_BY } from './transitions.js'

/** Notes which transitions a request has begun in the mock, so that their length can be measured. */
export async function noteBeginnings(
  session: Session,
  exchange: Exchange,
  { operation }: Call,
  ours: OwnReply
): Promise<void> {
  const begun = BEGUN_BY[operation]
  if (begun === undefined || ours.status >= 400) return
  const { twin, timing } = session
  const id = ours.headers['x-request-id']
  for (const { event, held, request_id: cause, resource_id: resource } of await twin.events())
    if (held && cause === id && begun.some(({ name }) => name === event)) {
      timing.begin(event, resource, exchange)
      session.note(exchange, { aspect: 'transition', subject: event, operation }, true)
    }
}
