import { clockTime, dateTime, switchZone, toTimestamp, zoneAt } from '../model/time'
import { useApp } from './app-context'
import { Button } from './blocks'

/** A time, with UTC as its tooltip. */
export function Time({ at, isShort = false }: { at: string | number; isShort?: boolean }) {
  const timestamp = typeof at === 'number' ? toTimestamp(at) : at
  return (
    <time class="numbers" dateTime={timestamp} title={timestamp}>
      {isShort ? clockTime(timestamp) : dateTime(at)}
    </time>
  )
}

/** The time of the sandbox, and a button that switches the zone of all times. */
export function Now({ at }: { at: number }) {
  const { model } = useApp()
  return (
    <span class="now code">
      <time dateTime={toTimestamp(at)}>{dateTime(at)}</time>{' '}
      <Button
        text={zoneAt(at)}
        class="zone"
        title="Switch all times between UTC and your time zone"
        onClick={() => {
          switchZone()
          model.changed()
        }}
      />
    </span>
  )
}
