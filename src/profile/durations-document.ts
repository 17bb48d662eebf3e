import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { isoLength } from '../lib/time.js'
import { type Bounds, BUILT_IN_DURATIONS, type Durations, type Speed, SPEEDS, TRANSITION_NAMES } from './durations.js'
import { type Complain, forEach, length, readLength } from './form.js'

const bounds = {
  min: Type.Optional(length('At least.')),
  max: Type.Optional(length('At most.'))
}

const DurationSchema = Type.Union([
  length('Always the same.'),
  strict({
    ...bounds,
    ...forEach(SPEEDS, (speed) =>
      Type.Optional(
        Type.Union([length('Always the same.'), strict(bounds)], { description: `With --transitions ${speed}.` })
      )
    )
  })
])

/** The part `durations` of a profile. */
export const DurationsSchema = strict(
  forEach(TRANSITION_NAMES, () => Type.Optional(DurationSchema)),
  {
    description:
      'How long transitions take: a duration, or `min` and `max`, or either of these per speed of --transitions.'
  }
)
type DurationsDocument = Shape<typeof DurationsSchema>

export function durationsOf(given: DurationsDocument = {}, complain: Complain): Durations {
  return new Map(
    TRANSITION_NAMES.flatMap((name) => {
      const duration = given[name]
      if (duration === undefined) return []
      const path = `durations.${name}`
      if (typeof duration === 'string' || SPEEDS.every((speed) => duration[speed] === undefined)) {
        const always = boundsOf(duration, path, complain)
        return [[name, forEach(SPEEDS, () => always)]]
      }
      const { min, max, ...speeds } = duration
      if (min !== undefined || max !== undefined)
        complain(path, `must have either min and max, or ${SPEEDS.join(', ')}`)
      const atSpeed = (speed: Speed) =>
        speeds[speed] === undefined ? builtInAt(name, speed) : boundsOf(speeds[speed], `${path}.${speed}`, complain)
      return [[name, forEach(SPEEDS, atSpeed)]]
    })
  )
}

function builtInAt(name: keyof typeof BUILT_IN_DURATIONS, speed: Speed): Bounds {
  const always = BUILT_IN_DURATIONS[name][speed]
  return { min: always, max: always }
}

function boundsOf(
  given: string | { readonly min?: string | undefined; readonly max?: string | undefined },
  path: string,
  complain: Complain
): Bounds {
  if (typeof given === 'string') {
    const always = readLength(given)
    return { min: always, max: always }
  }
  const read = (end: 'min' | 'max') => {
    const bound = given[end]
    if (bound !== undefined) return readLength(bound)
    complain(`${path}.${end}`, 'is required')
    return undefined
  }
  const min = read('min')
  const max = read('max')
  if (min !== undefined && max !== undefined && max < min)
    complain(`${path}.max`, `must be at least ${given.min!}, the minimum`)
  return { min: min ?? 0, max: max ?? 0 }
}

/** All durations as a part of a profile. */
export function toDurationsDocument(durations: Durations): Required<DurationsDocument> {
  const shown = ({ min, max }: Bounds) => (min === max ? isoLength(min) : { min: isoLength(min), max: isoLength(max) })
  return forEach(TRANSITION_NAMES, (name) => {
    const speeds = forEach(SPEEDS, (speed) => shown(durations.get(name)?.[speed] ?? builtInAt(name, speed)))
    const isSame = SPEEDS.every((speed) => isDeepStrictEqual(speeds[speed], speeds.instant))
    return isSame ? speeds.instant : speeds
  })
}
