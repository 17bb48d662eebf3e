import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { type Access, Client } from './api/client'
import { readRecordings } from './api/recordings'
import type { Link } from './api/stream'
import { Frame, type View } from './frame'
import { PastModel } from './model/past'
import { Recorded } from './model/recorded'
import { SandboxModel } from './model/sandbox'
import { readSettings, rememberKey, shownSettings, storeAccess, storedAccess } from './model/session'
import { Guard, useApp } from './parts/app-context'
import { Button } from './parts/blocks'
import { ClockBar } from './parts/clock-bar'
import type { NoticeState } from './parts/notices'
import { Stepper } from './parts/stepper'
import { useModel } from './parts/use'
import { Connect } from './views/connect'
import { CoverageView } from './views/coverage'
import { FaultsView } from './views/faults'
import { OverviewView } from './views/overview'
import { ReportView } from './views/report'
import { RequestsView } from './views/requests'
import { RulesView } from './views/rules'
import { StateView } from './views/state'
import { TimelineView } from './views/timeline'
import { VerificationView } from './views/verification'
import { PAST_VIEWS, Viewer } from './views/viewer'

const VIEWS: readonly View[] = [
  ['Overview', 'overview', 'Overview', OverviewView],
  ['Requests', 'requests', 'All requests', RequestsView],
  ['Requests', 'report', 'Report', ReportView],
  ['Requests', 'verification', 'Verification', VerificationView],
  ['Time', 'timeline', 'Timeline', TimelineView],
  ['Time', 'rules', 'Clock and rules', RulesView],
  ['Test control', 'faults', 'Faults', FaultsView],
  ['Test control', 'state', 'State', StateView],
  ['Coverage', 'coverage', 'Coverage', CoverageView]
]

const recordings = readRecordings()

/** The console: shows recordings, or asks for a key and shows its sandbox live. */
export function App() {
  return recordings === undefined ? <Live /> : <Viewer recordings={recordings} />
}

function Live() {
  const [settings, setSettings] = useState(shownSettings)
  const isOpen = settings.auth === 'off' && !settings.wantsToken
  const [access, setAccess] = useState(() => storedAccess() ?? (isOpen ? { key: '', token: '' } : undefined))
  const [before, setBefore] = useState(access)
  const [problem, setProblem] = useState<string>()
  const notices: NoticeState = useState()
  const go: Go = (next, reason) => {
    storeAccess(next)
    setAccess(next)
    notices[1](undefined)
    if (next !== undefined) setBefore(next)
    setProblem(reason)
    // A server that was started again may want other credentials.
    if (reason !== undefined) readSettings().then(setSettings, () => undefined)
  }
  return access === undefined ? (
    <Connect settings={settings} before={before} problem={problem} onOpen={go} />
  ) : (
    <Sandbox key={`${access.key} ${access.token}`} access={access} go={go} notices={notices} />
  )
}

/** Opens a sandbox; without access, asks for a key. @param reason why it asks */
type Go = (access: Access | undefined, reason?: string) => void

/** Shows a sandbox: its present, or its past. */
function Sandbox({ access, go, notices }: { access: Access; go: Go; notices: NoticeState }) {
  const model = useMemo(() => new SandboxModel(new Client(access)), [access])
  useEffect(() => {
    model.open()
    return () => model.close()
  }, [model])
  useModel(model)
  const [past, setPast] = useState<PastModel>()
  const show = (moment?: PastModel) => {
    setPast(moment)
    notices[1](undefined)
  }

  // Only keys that the server accepted are offered again.
  useLayoutEffect(() => {
    if (model.about !== undefined) rememberKey(access.key)
  }, [model.about])
  useEffect(() => {
    if (model.refusal !== undefined) go(undefined, model.refusal.message)
  }, [model.refusal])
  if (model.refusal !== undefined) return null

  // Guards remove the clock and the way back from the past.
  return (
    <Frame
      key={past === undefined ? 'now' : 'past'}
      model={past ?? model}
      notices={notices}
      views={past === undefined ? VIEWS : PAST_VIEWS}
      openKey={(key) => go({ ...access, key })}
      head={
        <>
          <Guard>
            <ClockBar />
          </Guard>
          <Switch access={access} go={go} link={model.link} />
        </>
      }
      tool={['Time', <LookBack onPast={show} />]}
      stepper={
        past && (
          <Stepper model={past}>
            <ForkHere past={past} client={model.client} />
            <Button text="Back to now" class="primary" onClick={() => show()} />
          </Stepper>
        )
      }
    />
  )
}

function LookBack({ onPast }: { onPast: (past: PastModel) => void }) {
  const { model, attempt } = useApp()
  const look = async () => {
    onPast(new PastModel(Recorded.parse(await model.client.readText('/recording/steps'))))
    return 'This is the past, as far as the server remembers it.'
  }
  return (
    <Guard>
      <Button text="Look back" class="tool" onClick={() => attempt(look)} />
    </Guard>
  )
}

/** Names the sandbox, and leads back to the form that opens another one. */
function Switch({ access, go, link }: { access: Access; go: Go; link: Link }) {
  return (
    <div class="switch">
      <span class={`link link-${link}`} role="status">
        {link === 'lost' ? 'no connection' : link}
      </span>
      <code class="key" title={access.key}>
        {access.key}
      </code>
      <Button text="Leave" onClick={() => go(undefined)} />
    </div>
  )
}

/** Copies the moment that is shown into a new sandbox, and opens it. */
function ForkHere({ past, client }: { past: PastModel; client: Client }) {
  const { attempt, openKey } = useApp()
  const fork = async () => {
    const { result } = await client.control<{ key: string }>('POST', '/sandboxes', { from: 'baseline' })
    const { message } = await client.control('PUT', '/state', past.state, result.key)
    openKey(result.key)
    return message
  }
  return <Button text="Fork from here" onClick={() => attempt(fork)} />
}
