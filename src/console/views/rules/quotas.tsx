import { useState } from 'preact/hooks'
import type { Quotas as QuotaValues } from '../../api/types'
import { type DraftGroup, draftOf } from '../../model/schema-form'
import { useApp } from '../../parts/app-context'
import { SchemaForm } from '../../parts/schema-form'
import { useReading } from '../../parts/use'

/** Shows the quotas, and sets them. */
export function Quotas() {
  const { model, attempt } = useApp()
  const { value: quotas, error } = useReading<QuotaValues>(model, '/quotas')
  const shown = draftOf(quotas ?? {}) as DraftGroup
  /** What was entered, and not yet set. */
  const [changes, setChanges] = useState<DraftGroup>({})
  return (
    <section class="card" aria-labelledby="quotas-title">
      <h2 id="quotas-title">Quotas</h2>
      {error === undefined ? null : <p class="problem">{error}</p>}
      <SchemaForm
        operation="setQuotas"
        label="Quotas"
        verb="Set quotas"
        draft={{ ...shown, ...changes }}
        onChange={(draft) =>
          setChanges(Object.fromEntries(Object.entries(draft).filter(([name, text]) => text !== shown[name])))
        }
        isUnchanged={Object.keys(changes).length === 0}
        onSubmit={async (all, noting) => {
          const changed = Object.fromEntries(Object.entries(all).filter(([name]) => name in changes))
          const set = noting(async () => (await model.client.control('PUT', '/quotas', changed)).message)
          if (await attempt(set)) setChanges({})
        }}
      />
    </section>
  )
}
