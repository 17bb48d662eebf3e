import type { Tool } from './tool.js'
import { callTool } from './tools/call.js'
import { clockTool } from './tools/clock.js'
import { compareTool } from './tools/compare.js'
import { controlTool } from './tools/control.js'
import { faultsTool } from './tools/faults.js'
import { requestsTool } from './tools/requests.js'
import { sandboxTool } from './tools/sandbox.js'
import { stateTool } from './tools/state.js'
import { transitionsTool } from './tools/transitions.js'

/** The tools that work wherever the server is. */
export const TOOLS: readonly Tool[] = [
  callTool,
  clockTool,
  requestsTool,
  transitionsTool,
  faultsTool,
  sandboxTool,
  stateTool,
  compareTool,
  controlTool
]
