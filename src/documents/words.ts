import type { Slices } from '../lib/slices.js'
import { BUILT_IN_WORDS, type StateKind, type StateWords } from '../profile/states.js'
import { changeFromWire } from '../resources/states.js'
import type { StateDocument, WorkspaceState } from './schemas.js'

/** A workspace of a document with the words of the interface. */
export function workspaceToWire(workspace: WorkspaceState, words: StateWords): WorkspaceState {
  return words === BUILT_IN_WORDS ? workspace : convert(workspace, (kind, state) => words[kind].toWire(state))
}

/** A document with the built-in states instead of the words of the interface. */
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

function convert(workspace: WorkspaceState, one: (kind: StateKind, text: string) => string): WorkspaceState {
  const { status, refresh_status: refresh, backups, restore_jobs: jobs } = workspace
  const inOther = <T extends { status?: string }>(kind: StateKind, items: readonly T[]): T[] =>
    items.map((item) => (item.status === undefined ? item : { ...item, status: one(kind, item.status) }))
  return {
    ...workspace,
    ...(status === undefined ? {} : { status: one('workspace', status) }),
    ...(refresh === undefined ? {} : { refresh_status: one('refresh', refresh) }),
    ...(backups && { backups: inOther('backup', backups) }),
    ...(jobs && { restore_jobs: inOther('restore_job', jobs) })
  }
}
