import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Access, Client } from './api/client'
import { readRecordings } from './api/recordings'
import { Frame, type Section } from './frame'
import { PastModel } from './model/past'
import { Recorded } from './model/recorded'
import { SandboxModel } from './model/sandbox'
import { readSettings, rememberKey, storeAccess, storedAccess, usedKeys } from './model/session'
import { ClockBar } from './parts/clock-bar'
import { ForkHere } from './parts/fork-here'
import { Guard } from './parts/guard'
import { Stepper } from './parts/stepper'
import { useModel } from './parts/use'
import { Connect } from './views/connect'
import { CoverageView } from './views/coverage'
import { FaultsView } from './views/faults'
import { OverviewView } from './views/overview'
import { PAST_SECTIONS } from './views/past-sections'
import { ReportView } from './views/report'
import { RequestsView } from './views/requests'
import { RulesView } from './views/rules'
import { StateView } from './views/state'
import { TimelineView } from './views/timeline'
import { VerificationView } from './views/verification'
import { Viewer } from './views/viewer'

const SECTIONS: readonly Section[] = [
  ['Overview', [['overview', 'Overview', OverviewView]]],
  [
    'Requests',
    [
      ['requests', 'All requests', RequestsView],
      ['report', 'Report', ReportView],
      ['verification', 'Verification', VerificationView]
    ]
  ],
  [
    'Time',
    [
      ['timeline', 'Timeline', TimelineView],
      ['rules', 'Clock and rules', RulesView]
    ]
  ],
  [
    'Test control',
    [
      ['faults', 'Faults', FaultsView],
      ['state', 'State', StateView]
    ]
  ],
  ['Coverage', [['coverage', 'Coverage', CoverageView]]]
]

const settings = readSettings()
const recordings = readRecordings()

/** The console: shows recordings, or asks for a key and shows its sandbox. */
export function App() {
  return recordings === undefined ? <Live /> : <Viewer recordings={recordings} />
}

function Live() {
  const [access, setAccess] = useState<Access | undefined>(
    () => storedAccess() ?? (settings.auth === 'off' && !settings.wantsToken ? { key: '', token: '' } : undefined)
  )
  const [problem, setProblem] = useState<string>()
  const open = useCallback((next: Access) => {
    storeAccess(next)
    setProblem(undefined)
    setAccess(next)
  }, [])
  const leave = useCallback((reason: string | undefined) => {
    storeAccess(undefined)
    setProblem(reason)
    setAccess(undefined)
  }, [])
  const lastAccess = useRef(access)
  if (access !== undefined) lastAccess.current = access
  if (access === undefined)
    return <Connect settings={settings} before={lastAccess.current} problem={problem} onOpen={open} />
  return <Sandbox key={`${access.key} ${access.token}`} access={access} onOpen={open} onLeave={leave} />
}

/** Shows one sandbox: as it is, or as it was. */
function Sandbox({
  access,
  onOpen,
  onLeave
}: {
  access: Access
  onOpen: (access: Access) => void
  onLeave: (reason: string | undefined) => void
}) {
  const model = useMemo(() => new SandboxModel(new Client(access)), [access])
  useEffect(() => {
    model.open()
    return () => model.close()
  }, [model])
  useModel(model)
  const [past, setPast] = useState<PastModel>()

  // A key that the server refuses is not worth offering again. One whose sandbox can be seen is, also after a reload.
  useLayoutEffect(() => {
    if (model.isLoaded) rememberKey(access.key)
  }, [model.isLoaded])

  const openKey = (key: string) => onOpen({ ...access, key })
  if (model.refusal !== undefined) return <Refused message={model.refusal.message} onLeave={onLeave} />
  const head = <Switch access={access} onOpen={onOpen} onLeave={onLeave} link={model.link} />
  if (past !== undefined)
    return (
      <Frame
        key="past"
        model={past}
        past={past}
        sections={PAST_SECTIONS}
        openKey={openKey}
        head={head}
        stepper={() => (
          <Stepper model={past}>
            <ForkHere past={past} client={model.client} />
            <button type="button" class="primary" onClick={() => setPast(undefined)}>
              Back to now
            </button>
          </Stepper>
        )}
      />
    )
  return (
    <Frame
      key="now"
      model={model}
      sections={SECTIONS}
      openKey={openKey}
      head={
        <>
          <Guard>
            <ClockBar />
          </Guard>
          {head}
        </>
      }
      tool={[
        'Time',
        ({ attempt }) => (
          <Guard>
            <button
              type="button"
              class="tool"
              onClick={() =>
                void attempt(async () => {
                  setPast(new PastModel(Recorded.parse(await model.client.readText('/recording/steps'))))
                  return 'You look at the past, as far as the server remembers it.'
                })
              }
            >
              Look back
            </button>
          </Guard>
        )
      ]}
    />
  )
}

function Refused({ message, onLeave }: { message: string; onLeave: (reason: string) => void }) {
  useEffect(() => onLeave(message), [message])
  return null
}

const LINKS = { connecting: 'connecting', live: 'live', lost: 'no connection' } as const

/** Names the sandbox, and opens another one. */
function Switch({
  access,
  onOpen,
  onLeave,
  link
}: {
  access: Access
  onOpen: (access: Access) => void
  onLeave: (reason: undefined) => void
  link: keyof typeof LINKS
}) {
  const [key, setKey] = useState(access.key)
  const others = usedKeys()
  return (
    <div class="switch">
      <span class={`link link-${link}`} role="status">
        {LINKS[link]}
      </span>
      {settings.auth === 'off' ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (key.trim() !== '') onOpen({ ...access, key: key.trim() })
          }}
        >
          <label>
            <span>Sandbox</span>
            <input
              list="keys"
              value={key}
              pattern="[!-~]+"
              required
              autocomplete="off"
              spellcheck={false}
              aria-label="API key of the sandbox"
              onInput={({ currentTarget }) => setKey(currentTarget.value)}
            />
          </label>
          <datalist id="keys">
            {others.map((other) => (
              <option key={other} value={other} />
            ))}
          </datalist>
          <button type="submit" disabled={key.trim() === access.key}>
            Open
          </button>
        </form>
      )}
      <button type="button" onClick={() => onLeave(undefined)}>
        Leave
      </button>
    </div>
  )
}
