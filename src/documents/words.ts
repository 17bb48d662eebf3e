import type { Slices } from '../lib/scheduler.js'
import { BUILT_IN_WORDS, type StateKind, type StateWords } from '../profile/states.js'
import { BACKUPS, RESTORE_JOBS } from '../resources/backups/fields.js'
import { restater } from '../resources/field-table.js'
import { changeFromWire } from '../resources/states.js'
import { WORKSPACES } from '../resources/workspaces/fields.js'
import type { StateDocument, WorkspaceState } from './schemas.js'

/** A workspace with the words of the interface for its states. */
export function workspaceToWire(workspace: WorkspaceState, words: StateWords): WorkspaceState {
  return words === BUILT_IN_WORDS ? workspace : convert(workspace, (kind, state) => words[kind].toWire(state))
}

/** A document with the built-in states. */
export function* fromWire(document: StateDocument, words: StateWords): Slices<StateDocument> {
  if (words === BUILT_IN_WORDS) return document
  const workgroups = []
  for (const workgroup of document.workgroups ?? []) {
    const workspaces = []
    for (const workspace of workgroup.workspaces ?? []) {
      workspaces.push(convert(workspace, (kind, word) => words[kind].fromWire(word)))
      yield
    }
    workgroups.push({ ...workgroup, workspaces })
  }
  return {
    ...document,
    ...(document.workgroups && { workgroups }),
    ...(document.timeline && { timeline: document.timeline.map((entry) => changeFromWire(entry, words)) })
  }
}

const ofWorkspace = restater(WORKSPACES.fields)
const ofBackup = restater(BACKUPS.fields)
const ofJob = restater(RESTORE_JOBS.fields)

function convert(workspace: WorkspaceState, one: (kind: StateKind, text: string) => string): WorkspaceState {
  const { backups, restore_jobs: jobs } = workspace
  return {
    ...ofWorkspace(workspace, one),
    ...(backups && { backups: backups.map((backup) => ofBackup(backup, one)) }),
    ...(jobs && { restore_jobs: jobs.map((job) => ofJob(job, one)) })
  }
}
