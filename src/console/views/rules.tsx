import { ClockSettings } from './rules/clock-settings'
import { DueList } from './rules/due-list'
import { Quotas } from './rules/quotas'
import { TransitionRules } from './rules/transition-rules'

/** Shows the clock, scheduled events, transition rules and quotas. */
export function RulesView() {
  return (
    <div class="columns">
      <ClockSettings />
      <DueList />
      <TransitionRules />
      <Quotas />
    </div>
  )
}
