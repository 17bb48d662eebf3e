import { percentDecoded } from '../../lib/percent-decoded.js'

/** A place in the console, as the fragment of the URL names it. It never contains the key. */
export interface Route {
  readonly view: string
  /** Id of the open workspace or request. */
  readonly part: string | undefined
  /** Id of the resource that limits the list. */
  readonly of: string | undefined
  readonly step: number | undefined
  /** Step to compare with. */
  readonly from: number | undefined
}

export function readRoute(hash: string): Route {
  const [, view = '', part, query] = /^#\/(\w+)(?:\/([^?]+))?(?:\?(.+))?$/.exec(hash) ?? []
  const fields = new URLSearchParams(query)
  const numberIn = (field: string) =>
    /^\d{1,15}$/.test(fields.get(field) ?? '') ? Number(fields.get(field)) : undefined
  return {
    view,
    part: part === undefined ? undefined : percentDecoded(part),
    of: fields.get('of') ?? undefined,
    step: numberIn('step'),
    from: numberIn('from')
  }
}

export function linkTo(view: string, part?: string, of?: string): string {
  const parts = [
    `#/${view}`,
    part === undefined ? '' : `/${encodeURIComponent(part)}`,
    of === undefined ? '' : `?of=${encodeURIComponent(of)}`
  ]
  return parts.join('')
}

/** The same place at another step, or without a step. */
export function atStep(hash: string, step: number | undefined): string {
  const [place = '', query = ''] = (hash === '' ? '#/overview' : hash).split('?', 2)
  const fields = new URLSearchParams(query)
  fields.delete('step')
  if (step !== undefined) fields.set('step', `${step}`)
  return fields.size === 0 ? place : `${place}?${fields.toString()}`
}
