import { dateTime, distance } from '../../model/time'
import { useApp } from '../../parts/app-context'

const SHOWN = 30

export function DueList() {
  const { model, attempt } = useApp()
  const { events } = model
  const held = events.filter((due) => due.held).length
  const release = () => attempt(async () => (await model.client.control('POST', '/transitions/release', {})).message)
  return (
    <section class="card" aria-labelledby="due-title">
      <h2 id="due-title">
        Due <span class="quiet">{events.length}</span>
      </h2>
      {events.length === 0 ? (
        <p class="quiet">Nothing is scheduled.</p>
      ) : (
        <table class="small" aria-labelledby="due-title">
          <thead>
            <tr>
              <th>When</th>
              <th>Event</th>
              <th>Workspace</th>
            </tr>
          </thead>
          <tbody>
            {events.slice(0, SHOWN).map(({ due, event, resource_id: id }, index) => (
              <tr key={`${id} ${event} ${index}`}>
                <td class="numbers">
                  {due === null ? (
                    <span class="held">held</span>
                  ) : (
                    <span title={dateTime(due)}>{distance(Date.parse(due), model.now())}</span>
                  )}
                </td>
                <td>
                  <code>{event}</code>
                </td>
                <td>
                  <a href={`#/overview/${encodeURIComponent(id)}`}>{model.workspaces.get(id)?.name ?? id}</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {events.length > SHOWN ? <p class="quiet">And {events.length - SHOWN} later.</p> : null}
      {held === 0 ? null : (
        <button type="button" onClick={() => void release()}>
          Release what is held ({held})
        </button>
      )}
    </section>
  )
}
