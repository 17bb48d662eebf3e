import { describe, type Item } from '../../model/lanes'
import { useApp } from '../../parts/app-context'
import { Panel } from '../../parts/panel'
import { recordOf } from './bar'

/** Lists the items that are too close together to be told apart. */
export function Several({ items }: { items: readonly Item[] }) {
  const now = useApp().model.now()
  return (
    <Panel label="Items at once" title={`${items.length} at once`} closeLabel="Close the list" closeTo="#/timeline">
      <p class="quiet">Zoom in to tell them apart, if they are not at the same time.</p>
      <ol class="plain links">
        {items.map((item, index) => (
          <li key={index}>
            {item.request === undefined ? (
              describe(item, now)
            ) : (
              <a href={recordOf(item.request)}>{describe(item, now)}</a>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
