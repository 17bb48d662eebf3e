import { ClockSettings } from './rules/clock-settings'
import { DueList } from './rules/due-list'
import { Faults } from './rules/faults'
import { TransitionRules } from './rules/transition-rules'

/** Shows the clock, scheduled events, faults and transition rules. */
export function RulesView() {
  return (
    <div class="columns">
      <ClockSettings />
      <DueList />
      <Faults />
      <TransitionRules />
    </div>
  )
}
