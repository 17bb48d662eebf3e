import { type CallToolResult, CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server'
import { toTimestamp, wallTime } from '../lib/time.js'

/** The extension by which a long tool answers with a task, which its client polls. */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** How long a task is kept, and how often a client should ask for it, in milliseconds. */
const TTL_MS = 24 * 3_600_000
const POLL_MS = 2000

/** A task as the protocol has it. */
interface TaskView {
  readonly taskId: string
  readonly status: 'working' | 'completed' | 'cancelled'
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: number
  readonly pollIntervalMs: number
  /** Of one that is completed. */
  readonly result?: CallToolResult
}

interface Task {
  view: TaskView
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Whether a client has declared, with a request, that it understands tasks. */
export function takesTasks(envelope: object | undefined): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = (envelope ?? {}) as {
    readonly [CLIENT_CAPABILITIES_META_KEY]?: { readonly extensions?: object }
  }
  return Object.hasOwn(capabilities?.extensions ?? {}, TASKS)
}

/** The tasks of one client. */
export class Tasks {
  readonly #tasks = new Map<string, Task>()

  /** Begins a task. @param work must not throw */
  begin(work: (signal: AbortSignal) => Promise<CallToolResult>): TaskView {
    const controller = new AbortController()
    const now = toTimestamp(wallTime())
    // Nobody else can ask for the tasks of this client.
    const taskId = `task-${this.#tasks.size + 1}`
    const times = { createdAt: now, lastUpdatedAt: now, ttlMs: TTL_MS, pollIntervalMs: POLL_MS }
    const view: TaskView = { taskId, status: 'working', ...times }
    const done = work(controller.signal).then((result) => {
      const end = controller.signal.aborted
        ? { status: 'cancelled' as const }
        : { status: 'completed' as const, result }
      task.view = { ...task.view, ...end, lastUpdatedAt: toTimestamp(wallTime()) }
    })
    const task: Task = { view, controller, done }
    this.#tasks.set(taskId, task)
    return view
  }

  /** A task as it is now; undefined if there is none. */
  find(id: string): TaskView | undefined {
    return this.#tasks.get(id)?.view
  }

  /** Asks a task to stop. @returns whether there is one */
  cancel(id: string): boolean {
    this.#tasks.get(id)?.controller.abort()
    return this.#tasks.has(id)
  }

  /** Stops all tasks, because nobody is left to ask for them. */
  async end(): Promise<void> {
    for (const { controller } of this.#tasks.values()) controller.abort()
    await Promise.all([...this.#tasks.values()].map(({ done }) => done))
  }
}
