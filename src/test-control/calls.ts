import { ASSUMPTION_CALLS } from './assumptions/calls.js'
import { CLOCK_CALLS } from './clock/calls.js'
import type { ControlCall } from './control-call.js'
import { COVERAGE_CALLS } from './coverage/calls.js'
import { FAULT_CALLS } from './faults/calls.js'
import { OVERVIEW_CALLS } from './overview/calls.js'
import { REPORT_CALLS } from './report/calls.js'
import { REQUEST_CALLS } from './requests/calls.js'
import { SANDBOX_CALLS } from './sandboxes/calls.js'
import { SIMULATION_CALLS } from './simulation/calls.js'
import { RECORDING_CALLS, WATCHING_CALLS } from './watching-calls.js'
import { WORKSPACE_CALLS } from './workspaces/calls.js'

/** All calls under `/_mock`, in the order of the documents. */
export const CALLS: readonly ControlCall[] = [
  CLOCK_CALLS,
  SIMULATION_CALLS,
  ASSUMPTION_CALLS,
  REQUEST_CALLS,
  REPORT_CALLS,
  RECORDING_CALLS,
  COVERAGE_CALLS,
  FAULT_CALLS,
  WORKSPACE_CALLS,
  SANDBOX_CALLS,
  OVERVIEW_CALLS,
  WATCHING_CALLS
].flat()

export const callNamed = (name: string): ControlCall => CALLS.find((call) => call.name === name)!
