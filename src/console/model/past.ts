import type { PreparedState } from '../../documents/schemas'
import { hostsBy } from '../../test-control/overview/hosts'
import { CallError, Client } from '../api/client'
import type { RequestSummary, TimelineItem } from '../api/types'
import { recordOf } from './record-of'
import { type PlacedStep, type Recorded, timelineOf } from './recorded'
import { SandboxModel } from './sandbox'
import { belongingsIn, databasesIn, eventsIn, timelineIn, workgroupsIn, workspacesIn } from './state-parts'
import { toTimestamp } from './time'

/** A sandbox as it was at a moment of a recording. */
export class PastModel extends SandboxModel {
  readonly recorded: Recorded
  override readonly isPast = true
  /** Index of the present stop. */
  stop = 0
  /** Ids of the resources that changed since the previous stop. */
  touched: ReadonlySet<string> = new Set()
  /** State changes since the previous stop. */
  justChanged: readonly TimelineItem[] = []
  readonly #hostOf: ReturnType<typeof hostsBy>

  constructor(recorded: Recorded) {
    super(new Client({ key: '', token: '' }))
    this.recorded = recorded
    const { overview, host_template: template, id_forms: forms } = recorded.beginning
    this.about = overview
    this.#hostOf = hostsBy(template, forms)
    this.link = 'live'
    this.goToStop(recorded.stops.length - 1)
  }

  get shown(): PlacedStep {
    return this.recorded.stops[this.stop]!
  }

  /** The state document after that step. */
  get state(): PreparedState {
    return this.recorded.stateAt(this.shown.place)
  }

  override now(): number {
    return Date.parse(this.clock!.now)
  }

  goToStop(index: number): void {
    const { recorded } = this
    this.stop = Math.min(Math.max(index, 0), recorded.stops.length - 1)
    const { state, shown } = this
    const steps = recorded.leadingTo(this.stop)
    this.touched = new Set(steps.flatMap(({ touches = [] }) => touches))
    this.justChanged = steps.flatMap(timelineOf)
    this.orgName = state.org?.name ?? ''
    this.keep({
      workgroups: workgroupsIn(state),
      databases: databasesIn(state),
      workspaces: workspacesIn(state, this.#hostOf)
    })
    this.events = eventsIn(state)
    this.timeline = timelineIn(state)
    this.requests = recorded
      .upTo(shown.place)
      .flatMap(({ request }) => (request === undefined || request.control === true ? [] : (request as RequestSummary)))
    const { mode = 'real', now, rate = 1 } = state.clock ?? {}
    this.clock = { mode, rate, now: mode === 'real' ? toTimestamp(recorded.timeAt(shown.place)) : now! }
    this.changed()
  }

  override async read<T>(path: string): Promise<T> {
    const [, area, part = ''] = /^\/(\w+)\/([^/]+)$/.exec(path) ?? []
    const id = decodeURIComponent(part)
    const value = area === 'requests' ? recordOf(this.recorded, this.shown.place, id) : belongingsIn(this.state, id)
    if (value === undefined) throw new CallError(404, 'It does not exist at this moment.')
    return value as T
  }
}
