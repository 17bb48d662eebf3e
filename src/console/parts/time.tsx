import { clockTime, dateTime, switchZone, toTimestamp, zoneAt } from '../model/time'
import { useApp } from './app-context'
import { Button } from './blocks'

/** A time. Its title has it in UTC. */
export function Time({ at, isShort = false }: { at: string | number; isShort?: boolean }) {
  const timestamp = typeof at === 'number' ? toTimestamp(at) : at
  return (
    <time class="numbers" dateTime={timestamp} title={timestamp}>
      {isShort ? clockTime(timestamp) : dateTime(at)}
    </time>
  )
}

/** The time of the sandbox, and the zone of all times, which can be switched. */
export function Now({ at }: { at: number }) {
  const { model } = useApp()
  return (
    <span class="now code">
      <time dateTime={toTimestamp(at)}>{dateTime(at)}</time>{' '}
      <Button
        text={zoneAt(at)}
        class="zone"
        title="Show all times in UTC, or in your time zone"
        onClick={() => {
          switchZone()
          model.changed()
        }}
      />
    </span>
  )
}
