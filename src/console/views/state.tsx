import { useEffect, useRef, useState } from 'preact/hooks'
import { dateTime } from '../model/time'
import { useApp } from '../parts/app-context'
import { download } from '../parts/download'
import { TextField } from '../parts/fields'
import { useFieldErrors } from '../parts/use-field-errors'
import { UNDO_SNAPSHOT, useUndoable } from '../parts/use-undoable'

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
  useEffect(() => model.askForSnapshots(), [model])
  const at = (snapshot: string) => `/snapshots/${encodeURIComponent(snapshot)}`
  const call = (method: string, path: string) =>
    noting(async () => {
      const { message } = await model.client.control(method, path)
      model.askForSnapshots()
      return message
    })
  const restore = async (snapshot: string) => {
    if (
      await confirm({
        title: `Restore ${snapshot}?`,
        text: 'The sandbox returns to its state at that time.',
        verb: 'Restore'
      })
    ) {
      // A new snapshot would take its place.
      const begin = snapshot === UNDO_SNAPSHOT ? attempt : undoable
      await begin(call('POST', `${at(snapshot)}/restore`))
    }
  }
  return (
    <section class="card" aria-labelledby="snapshots-title">
      <h2 id="snapshots-title">Snapshots</h2>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(call('PUT', at(name.trim()))).then((isDone) => {
            if (isDone) setName('')
          })
        }}
      >
        <TextField
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
      </form>
      {model.snapshots.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <table class="small" aria-labelledby="snapshots-title">
          <thead>
            <tr>
              <th>Name</th>
              <th>Saved, by the sandbox's clock</th>
              <th>
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {model.snapshots.map((snapshot) => (
              <tr key={snapshot.name} data-snapshot={snapshot.name}>
                <td>{snapshot.name}</td>
                <td class="numbers">{dateTime(snapshot.created_at)}</td>
                <td class="right">
                  <button
                    type="button"
                    aria-label={`Restore ${snapshot.name}`}
                    onClick={() => void restore(snapshot.name)}
                  >
                    Restore
                  </button>{' '}
                  <button
                    type="button"
                    aria-label={`Delete ${snapshot.name}`}
                    onClick={() => void attempt(call('DELETE', at(snapshot.name)))}
                  >
                    Delete
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Reset() {
  const { model, confirm } = useApp()
  const undoable = useUndoable()
  const [keep, setKeep] = useState<readonly string[]>([])
  const reset = async () => {
    if (
      !(await confirm({
        title: 'Reset the sandbox?',
        text: 'It returns to its baseline. Snapshots stay.',
        verb: 'Reset'
      }))
    )
      return
    await undoable(async () => (await model.client.control('POST', '/reset', { keep })).message)
  }
  return (
    <section class="card" aria-labelledby="reset-title">
      <h2 id="reset-title">Reset</h2>
      <p class="quiet">Returns the sandbox to its baseline: the seed, or nothing.</p>
      <fieldset>
        <legend>What stays</legend>
        {KEEPABLE.map((part) => (
          <label key={part} class="check">
            <input
              type="checkbox"
              checked={keep.includes(part)}
              onChange={({ currentTarget: { checked } }) =>
                setKeep(checked ? [...keep, part] : keep.filter((other) => other !== part))
              }
            />{' '}
            the {part}
          </label>
        ))}
      </fieldset>
      <button type="button" class="danger" onClick={() => void reset()}>
        Reset…
      </button>
    </section>
  )
}

function Document() {
  const { model, attempt, confirm } = useApp()
  const undoable = useUndoable()
  const file = useRef<HTMLInputElement>(null)
  const [isBaseline, setBaseline] = useState(false)
  const exportState = () =>
    attempt(async () => {
      const state = await model.client.read<object>('/state')
      download('sandbox.json', state)
      return 'The document was exported.'
    })
  const importState = async () => {
    const chosen = file.current?.files?.[0]
    if (chosen === undefined) return
    const text = await chosen.text()
    if (
      !(await confirm({ title: `Import ${chosen.name}?`, text: 'The document replaces the sandbox.', verb: 'Import' }))
    )
      return
    const state = parsed(text)
    if (state === undefined)
      await attempt(() =>
        Promise.reject(new SyntaxError('The file is not JSON. svc-mock ctl state import reads YAML, too.'))
      )
    else await undoable(async () => (await model.client.control('PUT', isBaseline ? '/seed' : '/state', state)).message)
  }
  return (
    <section class="card" aria-labelledby="document-title">
      <h2 id="document-title">State document</h2>
      <p class="quiet">The sandbox as JSON, without its journal and snapshots.</p>
      <button type="button" onClick={() => void exportState()}>
        Export
      </button>
      <form
        class="stack"
        aria-label="Import"
        onSubmit={(event) => {
          event.preventDefault()
          void importState()
        }}
      >
        <label>
          File <input ref={file} type="file" accept=".json,application/json" required />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isBaseline}
            onChange={({ currentTarget }) => setBaseline(currentTarget.checked)}
          />{' '}
          Make it the baseline for resets
        </label>
        <button type="submit">Import…</button>
      </form>
    </section>
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

function Fork() {
  const { model, attempt, openKey } = useApp()
  const [errors, noting] = useFieldErrors()
  const [from, setFrom] = useState('baseline')
  const [ttl, setTtl] = useState('')
  const [key, setKey] = useState<string>()
  const fork = () =>
    attempt(
      noting(async () => {
        const { message, result } = await model.client.control<{ key: string }>('POST', '/sandboxes', {
          from,
          ...(ttl.trim() === '' ? {} : { ttl: ttl.trim() })
        })
        setKey(result.key)
        return message
      })
    )
  return (
    <section class="card" aria-labelledby="fork-title">
      <h2 id="fork-title">Fork</h2>
      <p class="quiet">A new sandbox with its own key.</p>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void fork()
        }}
      >
        <label>
          From
          <select value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
            <option value="baseline">the baseline</option>
            {model.snapshots.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <TextField
          label="Removed after"
          placeholder="never, or PT1H"
          value={ttl}
          onChange={setTtl}
          error={errors['ttl']}
        />
        <button type="submit">Fork</button>
      </form>
      {key === undefined ? null : (
        <p class="line">
          <code>{key}</code>{' '}
          <button type="button" onClick={() => openKey(key)}>
            Open it
          </button>
        </p>
      )}
    </section>
  )
}
