import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client'
import { readSteps, type Recordings } from '../api/recordings'
import { Frame, type View } from '../frame'
import { PastModel } from '../model/past'
import { Recorded } from '../model/recorded'
import { useApp } from '../parts/app-context'
import { Button, Json } from '../parts/blocks'
import { download } from '../parts/download'
import type { NoticeState } from '../parts/notices'
import { Stepper } from '../parts/stepper'
import { CausesView } from './causes'
import { DifferencesView } from './differences'
import { OverviewView } from './overview'
import { RequestsView } from './requests'
import { TimelineView } from './timeline'

/** The views of a moment of a recording. */
export const PAST_VIEWS: readonly View[] = [
  ['Overview', 'overview', 'Overview', OverviewView],
  ['Requests', 'requests', 'Requests', RequestsView],
  ['Time', 'timeline', 'Timeline', TimelineView],
  ['State', 'state', 'Document', MomentView],
  ['State', 'differences', 'Differences', DifferencesView],
  ['State', 'causes', 'What led here', CausesView]
]

export function Viewer({ recordings: { recordings, shown } }: { recordings: Recordings }) {
  const [model, setModel] = useState<PastModel>()
  const [problem, setProblem] = useState<string>()
  const notices: NoticeState = useState()
  const { name = '' } = recordings[shown] ?? {}
  useEffect(() => {
    document.title = `${name} – svc-mock`
    readSteps().then(
      (text) => setModel(new PastModel(Recorded.parse(text))),
      (error: unknown) => setProblem(messageOf(error))
    )
  }, [])
  if (model === undefined)
    return (
      <main class="connect">
        <div>
          <h1>{name}</h1>
          {problem === undefined ? <p class="quiet">Reading the recording…</p> : <p role="alert">{problem}</p>}
        </div>
      </main>
    )
  const { beginning, end } = model.recorded
  return (
    <Frame
      model={model}
      notices={notices}
      subject={name}
      views={PAST_VIEWS}
      openKey={() => undefined}
      head={
        <nav class="files" aria-label="Recordings">
          {recordings.map(({ name: other, path }, index) => (
            <a key={path} class="code" href={path} aria-current={index === shown ? 'page' : undefined}>
              {other}
            </a>
          ))}
        </nav>
      }
      stepper={
        <>
          <Stepper model={model} />
          {end.problem === undefined ? null : (
            <p class="bar away" role="alert">
              The recording {end.problem}. You see the part before that.
            </p>
          )}
          {beginning.after === 0 && end.next === undefined ? null : (
            <p class="bar part" role="note">
              This page shows part of the recording.
              {!canAsk() || beginning.after === 0 ? null : <a href="?">From the beginning</a>}
              {!canAsk() || end.next === undefined ? null : <a href={`?from=${end.next}`}>From step {end.next}</a>}
            </p>
          )}
        </>
      }
    />
  )
}

/** Whether a server can send the rest of the recording. */
const canAsk = () => location.protocol !== 'file:' && document.getElementById('steps') === null

function MomentView() {
  const past = useApp().past!
  const { step } = past.shown
  return (
    <div class="moment">
      <div class="bar">
        <span class="quiet">The state document after step {step}</span>
        <Button text="Export" onClick={() => download(`state-${step}.json`, past.state)} />
      </div>
      <Json value={past.state} label="State document" />
    </div>
  )
}
