/** Number of links shown. */
const SHOWN = 50

/** Leads to the records of requests. */
export function RequestLinks({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <ul class="plain links inline-list" aria-label="Requests">
      {ids.slice(0, SHOWN).map((id, index) => (
        <li key={index}>
          <a href={`#/requests/${encodeURIComponent(id)}`}>
            <code>{id}</code>
          </a>
        </li>
      ))}
      {ids.length > SHOWN ? <li class="quiet">and {ids.length - SHOWN} more</li> : null}
    </ul>
  )
}
