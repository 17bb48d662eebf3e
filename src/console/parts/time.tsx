import { localClockTime, localDateTime } from '../model/local-time'
import { toTimestamp } from '../model/time'

/** A time in the reader's time zone. Its title has it in UTC. */
export function Time({ at, isShort = false }: { at: string | number; isShort?: boolean }) {
  const timestamp = typeof at === 'number' ? toTimestamp(at) : at
  return (
    <time class="numbers" dateTime={timestamp} title={timestamp}>
      {isShort ? localClockTime(at) : localDateTime(at)}
    </time>
  )
}
