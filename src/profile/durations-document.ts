import { isoLength } from '../lib/time.js'
import type { Complain } from './complain.js'
import { type Bounds, BUILT_IN_DURATIONS, type Durations, type Speed, SPEEDS, TRANSITION_NAMES } from './durations.js'
import { readLength } from './read-length.js'
import type { ProfileDocument, ProfileInForce } from './schemas.js'

type DurationsDocument = NonNullable<ProfileDocument['durations']>
type Given = NonNullable<DurationsDocument[keyof DurationsDocument]>
type Length = Extract<Given, string> | { readonly min: string; readonly max: string }

/** The durations as a profile gives them. */
export function durationsOf(given: DurationsDocument = {}, complain: Complain): Durations {
  return new Map(
    TRANSITION_NAMES.flatMap((name) => {
      const duration = given[name]
      if (duration === undefined) return []
      const path = `durations.${name}`
      const forms = typeof duration === 'string' ? [] : SPEEDS.filter((speed) => duration[speed] !== undefined)
      if (forms.length === 0) {
        const always = boundsOf(duration, path, complain)
        return [[name, { instant: always, fast: always, realistic: always }]]
      }
      const { min, max, ...speeds } = duration as Exclude<Given, string>
      if (min !== undefined || max !== undefined)
        complain(path, `must have either min and max, or ${SPEEDS.join(', ')}`)
      const atSpeed = (speed: Speed): Bounds => {
        const own = speeds[speed]
        const builtIn = BUILT_IN_DURATIONS[name][speed]
        return own === undefined ? { min: builtIn, max: builtIn } : boundsOf(own, `${path}.${speed}`, complain)
      }
      return [[name, { instant: atSpeed('instant'), fast: atSpeed('fast'), realistic: atSpeed('realistic') }]]
    })
  )
}

/** A duration, or two that it is between. */
function boundsOf(
  given: string | { readonly min?: string | undefined; readonly max?: string | undefined },
  path: string,
  complain: Complain
): Bounds {
  const lengthAt = (text: string, field: string): number => readLength(text, field, complain) ?? 0
  if (typeof given === 'string') {
    const length = lengthAt(given, path)
    return { min: length, max: length }
  }
  const { min, max } = given
  if (min === undefined) complain(`${path}.min`, 'is required')
  if (max === undefined) complain(`${path}.max`, 'is required')
  if (min === undefined || max === undefined) return { min: 0, max: 0 }
  const bounds = { min: lengthAt(min, `${path}.min`), max: lengthAt(max, `${path}.max`) }
  if (bounds.max < bounds.min) complain(`${path}.max`, `must be at least ${min}, the minimum`)
  return bounds
}

/** The durations as a profile shows them, with nothing left out. */
export function toDurationsDocument(durations: Durations): ProfileInForce['durations'] {
  const shown = ({ min, max }: Bounds): Length =>
    min === max ? isoLength(min) : { min: isoLength(min), max: isoLength(max) }
  const entries = TRANSITION_NAMES.map((name) => {
    const own = durations.get(name)
    const at = (speed: Speed) => {
      const builtIn = BUILT_IN_DURATIONS[name][speed]
      return shown(own?.[speed] ?? { min: builtIn, max: builtIn })
    }
    const [instant, fast, realistic] = SPEEDS.map(at)
    const isSame =
      JSON.stringify(instant) === JSON.stringify(fast) && JSON.stringify(fast) === JSON.stringify(realistic)
    return [name, isSame ? instant : { instant, fast, realistic }]
  })
  return Object.fromEntries(entries) as ProfileInForce['durations']
}
