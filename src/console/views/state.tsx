import { useRef, useState } from 'preact/hooks'
import type { DraftGroup } from '../model/schema-form'
import { UNDO_SNAPSHOT, useFieldErrors, useUndoable } from '../parts/actions'
import { useApp } from '../parts/app-context'
import { Button, Card, Form, Table } from '../parts/blocks'
import { download } from '../parts/download'
import { Check, Field } from '../parts/fields'
import { SchemaForm } from '../parts/schema-form'
import { Time } from '../parts/time'
import { useToggles } from '../parts/use'

const KEEPABLE = ['clock', 'faults', 'transitions', 'journal'] as const

/** Saves, restores, exports and imports the whole sandbox. */
export function StateView() {
  return (
    <div class="columns">
      <Snapshots />
      <Reset />
      <Document />
      <Fork />
    </div>
  )
}

function Snapshots() {
  const { model, attempt, confirm } = useApp()
  const undoable = useUndoable()
  const [errors, noting] = useFieldErrors()
  const [name, setName] = useState('')
  const call = (method: string, snapshot: string, action = '') =>
    noting(async () => {
      const answer = await model.client.control(method, `/snapshots/${encodeURIComponent(snapshot)}${action}`)
      model.askForSnapshots()
      return answer
    })
  const save = async () => {
    if (await attempt(call('PUT', name.trim()))) setName('')
  }
  const restore = async (snapshot: string) => {
    if (!(await confirm(`Restore ${snapshot}?`, 'The sandbox returns to its state at that time.', 'Restore'))) return
    // A new snapshot would take its place.
    const begin = snapshot === UNDO_SNAPSHOT ? attempt : undoable
    await begin(call('POST', snapshot, '/restore'))
  }
  return (
    <Card title="Snapshots">
      <Form class="inline" onSubmit={save}>
        <Field
          label="Name"
          placeholder="before-the-upgrade"
          required
          value={name}
          onChange={setName}
          error={errors['name']}
        />
        <button type="submit" class="primary">
          Save
        </button>
      </Form>
      <Table
        label="Snapshots"
        columns={{ Name: '', "Saved, by the sandbox's clock": '', Actions: 'hidden' }}
        items={model.snapshots}
        empty="None."
        row={({ name: snapshot, created_at: at }) => (
          <tr key={snapshot} data-snapshot={snapshot}>
            <td>{snapshot}</td>
            <td>
              <Time at={at} />
            </td>
            <td class="right">
              <Button text="Restore" label={`Restore ${snapshot}`} onClick={() => restore(snapshot)} />{' '}
              <Button text="Delete" label={`Delete ${snapshot}`} onClick={() => attempt(call('DELETE', snapshot))} />
            </td>
          </tr>
        )}
      />
    </Card>
  )
}

function Reset() {
  const { model, confirm } = useApp()
  const undoable = useUndoable()
  const [keep, toggle] = useToggles()
  const reset = async () => {
    if (await confirm('Reset the sandbox?', 'It returns to its baseline. Snapshots stay.', 'Reset'))
      await undoable(() => model.client.control('POST', '/reset', { keep: [...keep] }))
  }
  return (
    <Card title="Reset">
      <p class="quiet">Returns the sandbox to its baseline: the seed, or nothing.</p>
      <fieldset>
        <legend>What stays</legend>
        {KEEPABLE.map((part) => (
          <Check key={part} label={`the ${part}`} checked={keep.has(part)} onChange={() => toggle(part)} />
        ))}
      </fieldset>
      <Button text="Reset…" class="danger" onClick={reset} />
    </Card>
  )
}

function Document() {
  const { model, attempt, confirm } = useApp()
  const undoable = useUndoable()
  const file = useRef<HTMLInputElement>(null)
  const [isBaseline, setBaseline] = useState(false)
  const exportState = () =>
    attempt(async () => {
      download('sandbox.json', await model.client.read('/state'))
      return 'The document was exported.'
    })
  const importState = async () => {
    // The form is not sent without one.
    const chosen = file.current!.files![0]!
    const state = parsed(await chosen.text())
    if (!(await confirm(`Import ${chosen.name}?`, 'The document replaces the sandbox.', 'Import'))) return
    if (state === undefined)
      await attempt(() => Promise.reject(new Error('The file is not JSON. svc-mock ctl state import reads YAML, too.')))
    else await undoable(() => model.client.control('PUT', isBaseline ? '/seed' : '/state', state))
  }
  return (
    <Card title="State document">
      <p class="quiet">The sandbox as JSON, without its journal and snapshots.</p>
      <Button text="Export" onClick={exportState} />
      <Form class="stack" aria-label="Import" onSubmit={importState}>
        <label>
          File <input ref={file} type="file" accept=".json,application/json" required />
        </label>
        <Check label="Make it the baseline for resets" checked={isBaseline} onChange={setBaseline} />
        <button type="submit">Import…</button>
      </Form>
    </Card>
  )
}

/** The value of a JSON text; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Makes a sandbox of a snapshot or the baseline, and opens it. */
function Fork() {
  const { model, attempt, openKey } = useApp()
  const [draft, setDraft] = useState<DraftGroup>({ from: 'baseline' })
  return (
    <Card title="Fork">
      <p class="quiet">A new sandbox with its own key, which opens.</p>
      <SchemaForm
        operation="forkSandbox"
        label="Fork"
        verb="Fork"
        draft={draft}
        onChange={setDraft}
        choices={{ from: ['baseline', ...model.snapshots.map(({ name }) => name)].map((name) => [name, name] as const) }}
        onSubmit={async (body, noting) => {
          const call = noting(() => model.client.control<{ key: string }>('POST', '/sandboxes', body))
          await attempt(async () => {
            const { message, result } = await call()
            openKey(result.key)
            return message
          })
        }}
      />
    </Card>
  )
}
