import { useRef, useState } from 'preact/hooks'
import type { Snapshot } from '../api/types'
import type { DraftGroup } from '../model/schema-form'
import { UNDO_SNAPSHOT, useFieldErrors, useUndoable } from '../parts/actions'
import { useApp } from '../parts/app-context'
import { Button, Card, Form, Pending, Table } from '../parts/blocks'
import { download } from '../parts/download'
import { Check, Field } from '../parts/fields'
import { SchemaForm } from '../parts/schema-form'
import { Time } from '../parts/time'
import { useReading, useToggles } from '../parts/use'

const KEEPABLE = [
  ['clock', 'Clock'],
  ['faults', 'Faults'],
  ['transitions', 'Transition rules'],
  ['journal', 'Requests']
] as const

/** Saves, restores, exports and imports the whole sandbox. */
export function StateView() {
  const { value, error } = useReading<readonly Snapshot[]>('/snapshots')
  if (value === undefined) return <Pending error={error} />
  return (
    <div class="columns">
      <Snapshots snapshots={value} />
      <Reset />
      <Document />
      <Fork snapshots={value} />
    </div>
  )
}

function Snapshots({ snapshots }: { snapshots: readonly Snapshot[] }) {
  const { model, attempt } = useApp()
  const undoable = useUndoable()
  const [errors, noting] = useFieldErrors()
  const [name, setName] = useState('')
  const call = (method: string, snapshot: string, action = '') =>
    noting(() => model.client.control(method, `/snapshots/${encodeURIComponent(snapshot)}${action}`))
  const save = async () => {
    if (await attempt(call('PUT', name.trim()))) setName('')
  }
  // Undo would replace the snapshot that is restored here.
  const restore = (snapshot: string) =>
    (snapshot === UNDO_SNAPSHOT ? attempt : undoable)(call('POST', snapshot, '/restore'))
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
        columns={{ Name: '', 'Sandbox time': '', Actions: 'right' }}
        items={snapshots}
        empty="None."
        keyOf={({ name: snapshot }) => snapshot}
        cells={({ name: snapshot, created_at: at }) => [
          snapshot,
          <Time at={at} />,
          <>
            <Button text="Restore" label={`Restore ${snapshot}`} onClick={() => restore(snapshot)} />{' '}
            <Button text="Delete" label={`Delete ${snapshot}`} onClick={() => attempt(call('DELETE', snapshot))} />
          </>
        ]}
      />
    </Card>
  )
}

function Reset() {
  const { model, confirm } = useApp()
  const undoable = useUndoable()
  const [keep, toggle] = useToggles()
  const reset = async () => {
    const text = 'It returns to its baseline and forgets its requests. Undo does not bring these back.'
    if (keep.has('journal') || (await confirm('Reset the sandbox?', text, 'Reset')))
      await undoable(() => model.client.control('POST', '/reset', { keep: [...keep] }))
  }
  return (
    <Card title="Reset">
      <p class="quiet">Returns the sandbox to its baseline: the seed, or an empty sandbox.</p>
      <fieldset>
        <legend>Keep</legend>
        {KEEPABLE.map(([part, label]) => (
          <Check key={part} label={label} checked={keep.has(part)} onChange={() => toggle(part)} />
        ))}
      </fieldset>
      <Button text="Reset" class="danger" onClick={reset} />
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
    // The browser requires a file before it submits the form.
    const [chosen] = file.current!.files!
    let state: unknown
    try {
      state = JSON.parse(await chosen!.text())
    } catch (error) {
      const reason =
        error instanceof SyntaxError
          ? 'The file is not JSON. To import YAML, use svc-mock ctl state import.'
          : 'The file cannot be read. If it has changed, choose it again.'
      return attempt(() => Promise.reject(new Error(reason)))
    }
    if (!isBaseline || (await confirm('Replace the baseline?', 'Undo does not bring it back.', 'Import')))
      await undoable(() => model.client.control('PUT', isBaseline ? '/seed' : '/state', state))
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
        <button type="submit">Import</button>
      </Form>
    </Card>
  )
}

function Fork({ snapshots }: { snapshots: readonly Snapshot[] }) {
  const { model, openKey } = useApp()
  const draft = useState<DraftGroup>({ from: 'baseline' })
  return (
    <Card title="Fork">
      <p class="quiet">Creates a sandbox with a key of its own, and opens it.</p>
      <SchemaForm
        operation="forkSandbox"
        label="Fork"
        verb="Fork"
        draft={draft}
        choices={{ from: ['baseline', ...snapshots.map(({ name }) => name)].map((name) => [name, name] as const) }}
        call={async (body) => {
          const answer = await model.client.control<{ key: string }>('POST', '/sandboxes', body)
          openKey(answer.result.key)
          return answer
        }}
      />
    </Card>
  )
}
