import { readRecordings } from '../api/recordings'
import { quoted } from '../api/repeat'
import { useApp } from '../parts/app-context'
import { Button, Json } from '../parts/blocks'
import { CopyButton } from '../parts/copy'
import { download } from '../parts/download'

/** Shows the state document of a moment. */
export function MomentView() {
  const past = useApp().past!
  const {
    state,
    shown: { step }
  } = past
  const { workgroups = [], ...rest } = state
  const page = readRecordings()
  const file = page?.recordings[page.shown]?.file
  return (
    <div class="moment">
      <div class="bar">
        <span class="quiet">The state document after step {step}.</span>
        <Button text="Export" onClick={() => download(`state-${step}.json`, state)} />
        {file === undefined ? null : (
          <CopyButton
            text={`svc-mock recording fork ${quoted(file)} --at ${step} --key fork-${step}`}
            label="Copy the command that forks it"
          />
        )}
      </div>
      {workgroups.map((workgroup) => (
        <Part key={workgroup.id} title={`Workgroup ${workgroup.name ?? ''}`} value={workgroup} />
      ))}
      {Object.entries(rest).map(([field, value]) => (
        <Part key={field} title={field} value={value} />
      ))}
    </div>
  )
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <details>
      <summary>
        {title} {Array.isArray(value) ? <span class="quiet">{value.length}</span> : null}
      </summary>
      <Json value={value} label={title} />
    </details>
  )
}
