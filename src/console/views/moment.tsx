import { useApp } from '../parts/app-context'
import { Button, Json } from '../parts/blocks'
import { download } from '../parts/download'

/** Shows the state document of a moment. */
export function MomentView() {
  const past = useApp().past!
  const { step } = past.shown
  return (
    <div class="moment">
      <div class="bar">
        <span class="quiet">The state document after step {step}.</span>
        <Button text="Export" onClick={() => download(`state-${step}.json`, past.state)} />
      </div>
      <Json value={past.state} label="State document" />
    </div>
  )
}
