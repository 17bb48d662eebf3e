import type { Cluster } from '../../model/clusters'
import { describe, type Item } from '../../model/lanes'
import { stateClass } from '../../parts/state'
import { BAR_HEIGHT, BAR_TOP, type Scale, TEXT_TOP } from './scale'

interface Props {
  readonly cluster: Cluster
  readonly scale: Scale
  readonly isRequest: boolean
  readonly isChosen: boolean
  readonly onSeveral: (items: readonly Item[]) => void
}

/**
 * Draws one item, which leads to its record, or several, which lead to a list. By keyboard, the same records open from
 * the panel of a workspace and from the list of requests, so there are no hundreds of stops here.
 */
export function Bar({ cluster, scale: { now, width: plot, x }, isRequest, isChosen, onSeveral }: Props) {
  const { from, to, items, shown } = cluster
  const isOne = items.length === 1
  const left = Math.max(x(from), -4)
  const width = Math.max(Math.min(x(to), plot + 4) - left, from === to ? 5 : 2)
  const text = isOne ? shown.name : `${items.length}`
  const name = [
    'item',
    isRequest ? `status-${shown.outcome}` : stateClass(shown.outcome),
    isOne ? '' : 'several',
    isChosen ? 'chosen' : ''
  ].join(' ')
  const shape = (
    <>
      <title>{isOne ? describe(shown, now) : `${items.length} at once, such as ${describe(shown, now)}`}</title>
      <rect class="span" x={left} y={BAR_TOP} width={width} height={BAR_HEIGHT} rx={Math.min(3, width / 2)} />
      {width > text.length * 7 + 10 ? (
        <text class="span-text" x={Math.max(left, 0) + 6} y={TEXT_TOP}>
          {text}
        </text>
      ) : null}
    </>
  )
  if (!isOne)
    return (
      <g class={name} role="button" tabindex={-1} onClick={() => onSeveral(items)}>
        {shape}
      </g>
    )
  if (shown.request === undefined) return <g class={name}>{shape}</g>
  return (
    <a class={name} href={recordOf(shown.request)} tabindex={-1}>
      {shape}
    </a>
  )
}

/** Where the record of a request is, beside the timeline. */
export const recordOf = (request: string) => `#/timeline/${encodeURIComponent(request)}`
