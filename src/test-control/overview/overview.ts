import type { Slices } from '../../lib/scheduler.js'
import { hasSeed } from '../../options.js'
import { routeUnder } from '../../profile/routes.js'
import type { StateKind, StateWords } from '../../profile/states.js'
import { BACKUP } from '../../resources/backups/lifecycle.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { STATES } from '../../resources/states.js'
import { DELETE, PAUSE, REFRESH, RESTORE, RESUME, SERVING } from '../../resources/workspaces/lifecycle.js'
import { byCreation } from '../../resources/workspaces/store.js'
import { requestableIn } from '../../resources/workspaces/transitions.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { Overview } from './schemas.js'
import { summarizeDatabase, summarizeWorkgroup, summarizeWorkspace } from './views.js'

/**
 * A summary of a sandbox, read with a few statements. Unlike reads of the interface, it leaves no trace: not in the
 * journal, not in the coverage, and not on a clock in mode `poll`.
 * @param isTimeUp asked after each page whether to yield
 */
export function* readOverview(plane: ControlPlane, sandbox: Sandbox, isTimeUp: () => boolean): Slices<Overview> {
  const { options, sandboxes, storesOf, view } = plane
  const { workgroups, databases, workspaces } = storesOf(sandbox)
  const pages = []
  const context = { ...view, org: sandbox }
  for (const page of workspaces.briefPages()) {
    pages.push(page)
    if (isTimeUp()) yield
  }
  return {
    org_name: sandbox.orgName,
    ...vocabularyOf(plane),
    predates_seed: hasSeed(options) && sandboxes.predatesBaseline(sandbox),
    workgroups: workgroups.list().map(summarizeWorkgroup),
    databases: databases.listAll().map(summarizeDatabase),
    workspaces: pages
      .flat()
      .sort(byCreation)
      .map((workspace) => summarizeWorkspace(workspace, context))
  }
}

/** The part of an overview that is the same for all sandboxes. */
export function vocabularyOf({ options, profile }: ControlPlane) {
  const { names, words, edge } = profile
  const statesFor = (transition: { readonly name: string }) =>
    requestableIn(profile, transition).map(words.workspace.toWire)
  return {
    base_path: options.basePath,
    prefix: edge.prefix,
    names: { fields: Object.fromEntries(names.fields.names), values: Object.fromEntries(names.values.names) },
    states: otherWords(words),
    routes: Object.fromEntries(
      STARTED.flatMap((operation) => {
        const route = routeUnder(edge.paths, operation)
        if (route === undefined) return []
        const { method, path, moves } = route
        return [[operation, { method, path, from: Object.fromEntries(moves?.from ?? []) }] as const]
      })
    ),
    possible_in: {
      pause: statesFor(PAUSE),
      resume: statesFor(RESUME),
      refresh: statesFor(REFRESH),
      delete: statesFor(DELETE),
      backup: statesFor(BACKUP),
      restore: statesFor(RESTORE),
      activity: SERVING.map(words.workspace.toWire)
    }
  }
}

/** The operations that the console starts. */
const STARTED = [
  'createWorkgroup',
  'createWorkspace',
  'pauseWorkspace',
  'resumeWorkspace',
  'refreshWorkspace',
  'deleteWorkspace',
  'restoreBackup'
] as const

function otherWords(words: StateWords): Overview['states'] {
  const of = (kind: StateKind) =>
    Object.fromEntries(
      STATES[kind].map((state) => [state, words[kind].toWire(state)]).filter(([state, word]) => state !== word)
    ) as Readonly<Record<string, string>>
  return { workspace: of('workspace'), refresh: of('refresh'), backup: of('backup'), restore_job: of('restore_job') }
}
