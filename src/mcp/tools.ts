import type { Tool } from './tool.js'
import { callTool } from './tools/call.js'
import { compareTool } from './tools/compare.js'
import { clockTool, controlTool, faultsTool, sandboxTool, stateTool, transitionsTool } from './tools/control.js'
import { requestsTool } from './tools/requests.js'

/** The tools of every server; `svc-mock mcp` adds `explore`. */
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
