import type { Slices } from '../lib/scheduler.js'
import { BUILT_IN_WORDS, type StateWords } from '../profile/states.js'
import { type InDocument, itemsIn, withParts, WORKSPACE_PARTS } from '../resources/parts.js'
import { changeFromWire } from '../resources/states.js'
import { workspaceInDocument } from '../resources/workspaces/fields.js'
import type { StateDocument, WorkspaceState } from './schemas.js'

/** A document with the built-in states. */
export function* fromWire(document: StateDocument, words: StateWords): Slices<StateDocument> {
  if (words === BUILT_IN_WORDS) return document
  const workgroups = []
  for (const workgroup of document.workgroups ?? []) {
    const workspaces = []
    for (const workspace of workgroup.workspaces ?? []) {
      workspaces.push(toBuiltIn(workspace, words))
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

function toBuiltIn(workspace: WorkspaceState, words: StateWords): WorkspaceState {
  const restated = <T extends object>({ restate }: InDocument, state: T): T =>
    restate(state, (kind, word) => words[kind].fromWire(word))
  return {
    ...restated(workspaceInDocument, workspace),
    ...withParts(WORKSPACE_PARTS, (part, name) =>
      itemsIn(workspace, part, name)?.map((item) => restated(part.inDocument, item))
    )
  }
}
