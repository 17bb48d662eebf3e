import { decoded } from './paths.js'

/** A place in the console, as the fragment of the URL names it, so that it can be linked. Never contains the key. */
export interface Route {
  readonly view: string
  /** Id of the workspace or the request that is open beside the list. */
  readonly part: string | undefined
  /** Id of the resource that the list is limited to. */
  readonly of: string | undefined
  /** Number of the step of a recording. */
  readonly step: number | undefined
  /** Number of the step that it is compared with. */
  readonly from: number | undefined
}

export function readRoute(hash: string): Route {
  const [, view = '', part, query] = /^#\/(\w+)(?:\/([^?]+))?(?:\?(.+))?$/.exec(hash) ?? []
  const fields = new URLSearchParams(query)
  const numberIn = (field: string) =>
    /^\d{1,15}$/.test(fields.get(field) ?? '') ? Number(fields.get(field)) : undefined
  return {
    view,
    part: part === undefined ? undefined : decoded(part),
    of: fields.get('of') ?? undefined,
    step: numberIn('step'),
    from: numberIn('from')
  }
}

/** Links to a view, and optionally to a part of it. */
export function linkTo(view: string, part?: string, of?: string): string {
  const parts = [
    `#/${view}`,
    part === undefined ? '' : `/${encodeURIComponent(part)}`,
    of === undefined ? '' : `?of=${encodeURIComponent(of)}`
  ]
  return parts.join('')
}

/** The same place at another step; undefined: at none. */
export function atStep(hash: string, step: number | undefined): string {
  const [place = '', query = ''] = (hash === '' ? '#/overview' : hash).split('?', 2)
  const fields = new URLSearchParams(query)
  fields.delete('step')
  if (step !== undefined) fields.set('step', `${step}`)
  return fields.size === 0 ? place : `${place}?${fields.toString()}`
}
