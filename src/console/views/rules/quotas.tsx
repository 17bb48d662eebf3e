import { useState } from 'preact/hooks'
import type { Quotas as QuotaValues } from '../../api/types'
import { useApp } from '../../parts/app-context'
import { TextField } from '../../parts/fields'
import { useReading } from '../../parts/use'
import { useFieldErrors } from '../../parts/use-field-errors'

type Quota = keyof QuotaValues

/** Labels of the quotas. The compiler asks for every quota of the server. */
const LABELS: Readonly<Record<Quota, string>> = {
  rw_workspaces: 'Read-write workspaces',
  ro_workspaces: 'Read-only workspaces',
  manual_backups: 'Manual backups',
  automatic_backups: 'Automatic backups'
}

/** Shows the quotas, and sets them. */
export function Quotas() {
  const { model, attempt } = useApp()
  const { value: quotas, error } = useReading<QuotaValues>(model, '/quotas')
  const [errors, noting] = useFieldErrors()
  /** What was entered, and not yet set. */
  const [drafts, setDrafts] = useState<Partial<Record<Quota, string>>>({})
  const set = async () => {
    const values = Object.entries(drafts).map(([name, text]) => [name, text === '' ? null : Number(text)])
    const isDone = await attempt(
      noting(async () => (await model.client.control('PUT', '/quotas', Object.fromEntries(values))).message)
    )
    if (isDone) setDrafts({})
  }
  return (
    <section class="card" aria-labelledby="quotas-title">
      <h2 id="quotas-title">Quotas</h2>
      {error === undefined ? null : <p class="problem">{error}</p>}
      <form
        class="stack"
        aria-label="Quotas"
        onSubmit={(event) => {
          event.preventDefault()
          void set()
        }}
      >
        <div class="fields">
          {(Object.keys(LABELS) as Quota[]).map((name) => (
            <TextField
              key={name}
              label={LABELS[name]}
              type="number"
              min={0}
              placeholder="no limit"
              value={drafts[name] ?? `${quotas?.[name] ?? ''}`}
              onChange={(text) => {
                setDrafts({ ...drafts, [name]: text })
              }}
              error={errors[name]}
            />
          ))}
        </div>
        <button type="submit" disabled={Object.keys(drafts).length === 0}>
          Set quotas
        </button>
      </form>
    </section>
  )
}
