import { useState } from 'preact/hooks'
import { NEW_FAULT, PRESETS } from '../../model/fault'
import { type DraftGroup, draftOf } from '../../model/schema-form'
import { useApp } from '../../parts/app-context'
import { SchemaForm } from '../../parts/schema-form'

/** Where a fault applies, which a preset leaves alone. */
const PLACE = ['operation', 'workspace_id', 'workgroup_id']

/** Adds a fault, which a preset can prepare. */
export function NewFault() {
  const { model, attempt } = useApp()
  const [draft, setDraft] = useState(draftOf(NEW_FAULT) as DraftGroup)
  return (
    <section class="card" aria-labelledby="new-fault-title">
      <h2 id="new-fault-title">New fault</h2>
      <div class="buttons" role="group" aria-label="Presets">
        {PRESETS.map(({ name, about, rule }) => (
          <button
            key={name}
            type="button"
            title={about}
            onClick={() => {
              const place = Object.entries(draft).filter(([field]) => PLACE.includes(field))
              setDraft({ ...Object.fromEntries(place), ...(draftOf(rule) as DraftGroup) })
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <SchemaForm
        operation="addFault"
        label="New fault"
        verb="Inject"
        draft={draft}
        onChange={setDraft}
        onSubmit={(rule, noting) =>
          attempt(noting(async () => (await model.client.control('POST', '/faults', rule)).message))
        }
      />
    </section>
  )
}
