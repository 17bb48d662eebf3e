import { ClockSettings } from './rules/clock-settings'
import { DueList } from './rules/due-list'
import { Faults } from './rules/faults'
import { TransitionRules } from './rules/transition-rules'

/** The clock, what is due, and what shall go wrong. */
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
