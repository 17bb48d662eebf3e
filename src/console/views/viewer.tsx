import { useEffect, useState } from 'preact/hooks'
import { readSteps, type Recordings } from '../api/recordings'
import { Frame, type View } from '../frame'
import { PastModel } from '../model/past'
import { Recorded } from '../model/recorded'
import { readRoute } from '../model/route'
import { Stepper } from '../parts/stepper'
import { CausesView } from './causes'
import { DifferencesView } from './differences'
import { MomentView } from './moment'
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

/** Shows a recording, read-only. */
export function Viewer({ recordings: { recordings, shown } }: { recordings: Recordings }) {
  const [model, setModel] = useState<PastModel>()
  const [problem, setProblem] = useState<string>()
  const { name = '', file = '' } = recordings[shown] ?? {}
  useEffect(() => {
    document.title = `${name} – svc-mock`
    readSteps()
      .then((text) => {
        const recorded = Recorded.parse(text)
        const { step } = readRoute(location.hash)
        const { beginning, end, last } = recorded
        // The step is in another part of the recording.
        const isElsewhere =
          step !== undefined && (step < beginning.after || (end.next !== undefined && step >= end.next))
        if (isElsewhere && step > 0 && last.place > 0 && canAsk()) location.search = `?from=${step}`
        else setModel(new PastModel(recorded))
      })
      .catch((error: unknown) => setProblem((error as Error).message))
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
      subject={name}
      views={PAST_VIEWS}
      openKey={() => undefined}
      head={
        <nav class="files" aria-label="Recordings">
          {recordings.map((recording, index) => (
            <a
              key={recording.path}
              class="code"
              href={recording.path}
              aria-current={index === shown ? 'page' : undefined}
            >
              {recording.name}
            </a>
          ))}
        </nav>
      }
      stepper={
        <>
          <Stepper model={model} />
          {end.problem === undefined ? null : (
            <p class="away" role="alert">
              The recording {end.problem}. You see what comes before.
            </p>
          )}
          {beginning.after === 0 && end.next === undefined ? null : (
            <p class="bar part" role="note">
              This page shows a part of the recording.
              {beginning.after === 0 || !canAsk() ? null : <a href="?">From the beginning</a>}
              {end.next === undefined ? null : canAsk() ? (
                <a href={`?from=${end.next}`}>From step {end.next}</a>
              ) : (
                <code>
                  svc-mock show {file} --from {end.next} --html …
                </code>
              )}
            </p>
          )}
        </>
      }
    />
  )
}

/** Whether the page has come from a server, which has the rest. */
const canAsk = () => location.protocol !== 'file:' && document.getElementById('steps') === null
