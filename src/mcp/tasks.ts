import { type CallToolResult, CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server'
import { toTimestamp, wallTime } from '../lib/time.js'

/** The extension with which a long tool returns a task that the client polls. */
export const TASKS = 'io.modelcontextprotocol/tasks'

const TTL_MS = 24 * 3_600_000
const POLL_MS = 2000

/** A task in the form of the protocol. */
interface TaskView {
  readonly taskId: string
  readonly status: 'working' | 'completed' | 'cancelled'
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: number
  readonly pollIntervalMs: number
  readonly result?: CallToolResult
}

interface Task {
  view: TaskView
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Whether the client declares in a request that it supports tasks. */
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
    // Only this client can access its tasks, so an id need not be secret.
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

  find(id: string): TaskView | undefined {
    return this.#tasks.get(id)?.view
  }

  /** Asks a task to stop. @returns whether it exists */
  cancel(id: string): boolean {
    this.#tasks.get(id)?.controller.abort()
    return this.#tasks.has(id)
  }

  /** Stops all tasks, once the client has left. */
  async end(): Promise<void> {
    for (const { controller } of this.#tasks.values()) controller.abort()
    await Promise.all([...this.#tasks.values()].map(({ done }) => done))
  }
}
