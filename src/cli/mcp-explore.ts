import { Type } from '@sinclair/typebox'
import { PLAN_NAMES } from '../explore/plans.js'
import { ReferenceFailed } from '../explore/reference.js'
import { enumeration } from '../interface/schemas.js'
import { quantity } from '../lib/quantity.js'
import { LONGEST_TIMER } from '../lib/time.js'
import { Refusal } from '../mcp/refusal.js'
import { defineTool } from '../mcp/tool.js'
import { withExploration } from './exploration.js'
import { readExploreRequest } from './explore-arguments.js'
import { ResultFolder } from './explore-files.js'

/** Many MCP clients wait at most a minute for a tool, unless they poll for its result. */
const BUDGET = '45s'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description }))
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999, description }))

/** Explores a command that runs on this machine, as `svc-mock explore` does. */
export const exploreTool = defineTool({
  name: 'explore',
  title: 'Explore a client',
  description: `Find the faults that a client does not survive. Runs a command on this machine, such as the client's
test, again and again, each time with one fault at one call. It gets its own server by SVC_MOCK_URL and SVC_MOCK_KEY; in
its arguments, {url} and {key} stand for them. Without any fault, it must succeed. This takes long: after the budget, it
ends with the findings so far (the result counts the skipped plans).

A finding says what went wrong, and how the client reacted: duplicate, forgotten, false-success, left-behind,
not-recovered, hang, inconsistent, impolite.`,
  input: {
    command: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1000,
      description: 'The program and its arguments, such as ["npm", "test"]; no shell reads them.'
    }),
    cwd: text('Folder of the command; that of this server if absent.'),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_]\\w*$' }), Type.String(), {
        description: 'Variables for the command. {url} and {key} stand for those of the run.'
      })
    ),
    only: Type.Optional(
      Type.Array(enumeration(PLAN_NAMES, 'A kind of plan.'), {
        description: 'The kinds of plans to try; all but beside if absent.'
      })
    ),
    max_plans: count('Maximum number of plans; all if absent.'),
    budget: text(`Duration after which it ends; if absent, ${BUDGET}, or as long as it takes for a task.`),
    timeout: text('Duration that one run may take; 20s if absent.'),
    jobs: count('Number of concurrent runs; 4 if absent. Use 1 if the command cannot run twice at the same time.'),
    seed_file: text('File with the state that each run begins with.'),
    report: text('Folder for the full report; none is written if absent.')
  },
  isDestructive: true,
  isApart: true,
  run: async (input, { signal, isTask = false }) => {
    let over: AbortSignal | undefined
    try {
      const request = readExploreRequest(argumentsFor(input, isTask), process.env)
      const results = input.report === undefined ? undefined : new ResultFolder(input.report)
      over = AbortSignal.timeout(Math.min(request.budget, LONGEST_TIMER))
      const watcher = { signal: AbortSignal.any([signal, over]), onProgress: () => undefined }
      return await withExploration(request, watcher, async (exploration) => {
        await exploration.all()
        await results?.write(exploration, request)
        // The endings of all plans would leave no room for the findings.
        const { endings: _, ...result } = exploration.report
        return { message: `Findings: ${result.findings.length}, in ${quantity(result.plans, 'plan')}.`, result }
      })
    } catch (error) {
      // A command that was interrupted looks like one that fails.
      if (over?.aborted === true && error instanceof ReferenceFailed)
        throw new Refusal('The budget was over before the command had run twice without any fault.', {
          remedy: 'Give it a longer budget, or explore a faster command.'
        })
      throw new Refusal(`${(error as Error).message}.`)
    }
  }
})

interface Input {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly only?: readonly string[] | undefined
  readonly [name: string]: unknown
}

/** The equivalent arguments of `svc-mock explore`. */
function argumentsFor({ command, env = {}, only = [], budget, ...others }: Input, isTask: boolean): string[] {
  const flags = [
    ...Object.entries({ ...others, budget: budget ?? (isTask ? undefined : BUDGET) }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.replaceAll('_', '-'), String(value as string | number)]]
    ),
    ...only.map((plan) => ['only', plan]),
    ...Object.entries(env).map(([name, value]) => ['env', `${name}=${value}`])
  ]
  return [...flags.map(([name, value]) => `--${name!}=${value!}`), '--', ...command]
}
