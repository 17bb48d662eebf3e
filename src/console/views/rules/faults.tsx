import { useEffect, useState } from 'preact/hooks'
import type { Fault, FaultRule } from '../../api/types'
import { useApp } from '../../parts/app-context'

type Reply = NonNullable<FaultRule['effect']['reply']>

/** Names of the replies. The compiler asks for every reply of the server. */
const REPLIES: Readonly<Record<Reply, string>> = { drop: 'No reply', empty: 'Empty reply', cut: 'Half a reply' }

const KINDS = [
  ['500', 'Error 500'],
  ['503', 'Error 503'],
  ['429', 'Error 429'],
  ['404', 'Error 404'],
  ['delay', 'Delay'],
  ...Object.entries(REPLIES)
] as const

/** Lists the faults with their hits, and adds new ones. */
export function Faults() {
  const { model, attempt } = useApp()
  const { faults } = model
  useEffect(() => {
    model.askForCoverage()
  }, [model])
  const remove = (id?: string) =>
    attempt(async () => (await model.client.control('DELETE', id === undefined ? '/faults' : `/faults/${id}`)).message)
  return (
    <section class="card" aria-labelledby="faults-title">
      <h2 id="faults-title">Faults</h2>
      {faults.length === 0 ? (
        <p class="quiet">No faults.</p>
      ) : (
        <table class="small" aria-labelledby="faults-title">
          <thead>
            <tr>
              <th>Operation</th>
              <th>Effect</th>
              <th class="right">Hits</th>
              <th>
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {faults.map((fault) => (
              <tr key={fault.id} data-fault={fault.id}>
                <td>
                  {fault.operation ?? 'any'}
                  {fault.workspace_id === undefined ? null : (
                    <span class="quiet">
                      {' '}
                      on {model.workspaces.get(fault.workspace_id)?.name ?? fault.workspace_id}
                    </span>
                  )}
                </td>
                <td>{effectOf(fault)}</td>
                <td class="right numbers">
                  {fault.hits}
                  {fault.times === undefined ? '' : ` of ${fault.times}`}
                  <span class="quiet">, seen {fault.seen}</span>
                </td>
                <td>
                  <button type="button" aria-label={`Remove ${fault.id}`} onClick={() => void remove(fault.id)}>
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {faults.length > 1 ? (
        <button type="button" onClick={() => void remove()}>
          Remove all
        </button>
      ) : null}
      <NewFault />
    </section>
  )
}

function effectOf({ effect, phase, after, probability }: Fault): string {
  const { status, delay, reply } = effect
  return [
    status === undefined ? '' : `error ${status}`,
    delay === undefined ? '' : `delay ${typeof delay === 'string' ? delay : JSON.stringify(delay)}`,
    reply === undefined ? '' : `reply ${reply}`,
    phase === 'after-commit' ? 'after the work is done' : '',
    after === undefined || after === 0 ? '' : `after ${after}`,
    probability === undefined || probability === 1 ? '' : `in ${probability * 100} %`
  ]
    .filter((part) => part !== '')
    .join(', ')
}

// The form offers only these values.
type Operation = NonNullable<FaultRule['operation']>

function NewFault() {
  const { model, attempt } = useApp()
  const [operation, setOperation] = useState('')
  const [kind, setKind] = useState('500')
  const [workspace, setWorkspace] = useState('')
  const [times, setTimes] = useState('1')
  const [after, setAfter] = useState('')
  const [delay, setDelay] = useState('PT2S')
  const [isLate, setLate] = useState(false)
  const operations = model.coverage?.operations ?? []
  const add = () =>
    attempt(async () => {
      const effect =
        kind === 'delay' ? { delay } : /^\d+$/.test(kind) ? { status: Number(kind) } : { reply: kind as Reply }
      const rule: FaultRule = {
        effect,
        ...(operation === '' ? {} : { operation: operation as Operation }),
        ...(workspace.trim() === '' ? {} : { workspace_id: workspace.trim() }),
        ...(times === '' ? {} : { times: Number(times) }),
        ...(after === '' ? {} : { after: Number(after) }),
        ...(isLate ? { phase: 'after-commit' } : {})
      }
      return (await model.client.control('POST', '/faults', rule)).message
    })
  return (
    <form
      class="stack"
      aria-label="New fault"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <h3>Inject one</h3>
      <div class="fields">
        <label>
          Operation
          <select
            value={operation}
            onChange={({ currentTarget }) => {
              setOperation(currentTarget.value)
            }}
          >
            <option value="">any</option>
            {operations.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Effect
          <select
            value={kind}
            onChange={({ currentTarget }) => {
              setKind(currentTarget.value)
            }}
          >
            {KINDS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {kind === 'delay' ? (
          <label>
            For{' '}
            <input
              value={delay}
              required
              onInput={({ currentTarget }) => {
                setDelay(currentTarget.value)
              }}
            />
          </label>
        ) : null}
        <label>
          Times{' '}
          <input
            type="number"
            min={1}
            value={times}
            placeholder="always"
            onInput={({ currentTarget }) => {
              setTimes(currentTarget.value)
            }}
          />
        </label>
        <label>
          After{' '}
          <input
            type="number"
            min={0}
            value={after}
            placeholder="0 requests"
            onInput={({ currentTarget }) => {
              setAfter(currentTarget.value)
            }}
          />
        </label>
        <label>
          Workspace id{' '}
          <input
            value={workspace}
            placeholder="any"
            onInput={({ currentTarget }) => {
              setWorkspace(currentTarget.value)
            }}
          />
        </label>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={isLate}
          onChange={({ currentTarget }) => {
            setLate(currentTarget.checked)
          }}
        />{' '}
        Only after the work is done
      </label>
      <button type="submit" class="primary">
        Inject
      </button>
    </form>
  )
}
