import { setTimeout as sleep } from 'node:timers/promises'
import { type Body, CONTROLLER } from '../helper.js'

/** How long to wait, and how often to look. */
export interface Patience {
  readonly everyMs: number
  readonly withinMs: number
}

/** Sends a request to a path below the base path. */
export type Send = (method: string, path: string, body?: unknown) => Promise<Response>

/**
 * Looks until nothing is pending. A service may fail for a moment, so an error counts as pending.
 * @param look describes everything that is still pending
 * @throws if that takes too long
 */
export async function pollUntilNone(
  look: () => Promise<readonly string[]>,
  { everyMs, withinMs }: Patience
): Promise<void> {
  const start = performance.now()
  for (;;) {
    const open = await look().catch((error: unknown) => [String(error)])
    if (open.length === 0) return
    if (performance.now() - start >= withinMs) throw new Error(`not done after ${withinMs} ms: ${open.join('; ')}`)
    await sleep(everyMs)
  }
}

/** Lasting states of workspaces, refreshes, backups and restore jobs. Any other state counts as transient. */
const LASTING = ['Active', 'Stopped', 'Idle', 'Failed', '', 'Refreshed', 'Succeeded']

/** The resources that a run has created on a service without a control API. */
export class OwnResources {
  readonly #send: Send
  /** The names of all workgroups of the run have this prefix, so that they are found even if a reply was lost. */
  readonly #prefix: string
  readonly #patience: Patience
  readonly #workgroups = new Set<string>()
  readonly #jobs = new Set<string>()

  constructor(send: Send, prefix: string, patience: Patience) {
    this.#send = send
    this.#prefix = prefix
    this.#patience = patience
  }

  /** Notes a resource that a call has created, expected or not. */
  note(operationId: string, params: Readonly<Record<string, string>>, body: Body): void {
    // A wrong reply is reported elsewhere.
    const result = body?.Result
    const id = operationId === 'createWorkgroup' ? result?.workgroup_id : result
    if (typeof id !== 'string' || id === '') return
    if (operationId === 'createWorkgroup') this.#workgroups.add(id)
    if (operationId === 'restoreBackup')
      this.#jobs.add(`${CONTROLLER}/workspaces/${params['workspaceID']}/backups/${id}/status`)
  }

  /** Waits until nothing is in a transient state. */
  async settle(): Promise<void> {
    await pollUntilNone(async () => {
      const open: string[] = []
      const look = (name: string, state: string) => {
        if (!LASTING.includes(state)) open.push(`${name} is ${state}`)
      }
      for (const { workspaces } of await this.#read()) {
        for (const { workspace_id: id, status, refresh_status: refresh } of workspaces ?? []) {
          look(`workspace ${id}`, status)
          look(`the refresh of workspace ${id}`, refresh ?? '')
          const backups: Body[] = (await this.#get(`${CONTROLLER}/workspaces/${id}/backups`)) ?? []
          for (const backup of backups) look(`backup ${backup.id}`, backup.status)
        }
      }
      for (const job of this.#jobs) look(job, (await this.#get(job))?.status ?? 'Succeeded')
      return open
    }, this.#patience)
  }

  /** Removes everything, and waits until it is gone. */
  async remove(): Promise<void> {
    await pollUntilNone(async () => {
      for (const { name, workgroup_id: id } of (await this.#get(`${CONTROLLER}/workgroups`)) ?? [])
        if (String(name).startsWith(this.#prefix)) this.#workgroups.add(id)
      const open: string[] = []
      for (const { workgroup_id: id, workspaces, svc_databases: databases } of await this.#read()) {
        const path = `${CONTROLLER}/workgroups/${id}`
        // The deletion of a container that is not empty is refused, and tried again at the next look.
        for (const workspace of workspaces ?? []) await this.#delete(`${path}/workspaces/${workspace.workspace_id}`)
        for (const database of databases ?? []) await this.#delete(`${path}/databases/${database.database_id}`)
        const status = await this.#delete(path)
        open.push(`workgroup ${id} is there, and its deletion was answered with ${status}`)
      }
      return open
    }, this.#patience)
  }

  /** The existing workgroups with their contents. */
  async #read(): Promise<Body[]> {
    const found: Body[] = []
    for (const id of this.#workgroups) {
      const workgroup = await this.#get(`${CONTROLLER}/workgroups/${id}`)
      if (workgroup === undefined) this.#workgroups.delete(id)
      else found.push(workgroup)
    }
    return found
  }

  async #delete(path: string): Promise<number> {
    const response = await this.#send('DELETE', path)
    await response.text()
    return response.status
  }

  /** @returns `Result`; undefined for a 404 */
  async #get(path: string): Promise<Body> {
    const response = await this.#send('GET', path)
    const text = await response.text()
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text.slice(0, 200)}`)
    return JSON.parse(text).Result
  }
}
