import { Document, isMap, isNode, isScalar, isSeq, type Node, visit } from 'yaml'
import type { Note, Place } from './draft.js'

/** Longer objects and lists take a line for each entry. */
const MOST_IN_LINE = 100

/** Writes a profile as YAML, with notes as comments at their places. */
export function writeProfile({ profile, notes }: { profile: object; notes: readonly Note[] }): string {
  // YAML 1.1 reads unquoted words such as `off` as other values.
  const document = new Document(profile, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  const opened = new Set<unknown>()
  for (const note of notes) {
    const { node, above } = nodeAt(document, note.place)
    node.commentBefore = [node.commentBefore ?? [], linesOf(note)].flat().join('\n')
    // A comment within braces would break the line.
    for (const one of above) opened.add(one)
  }
  visit(document, {
    Collection: (_, node) => {
      if (!opened.has(node) && JSON.stringify(node.toJSON()).length <= MOST_IN_LINE) node.flow = true
    },
    Pair: (_, { key }, path) => {
      if (path.length === 2 && isNode(key)) key.spaceBefore = !['profile', 'name'].includes(String(key))
    }
  })
  return document.toString({ lineWidth: 120 })
}

/** The node at a place, otherwise the nearest one that contains it, and the nodes above. */
function nodeAt(document: Document, place: Place) {
  let node: Document | Node = document
  let value: unknown = document.contents
  const above = [value]
  for (const step of place) {
    const pair = isMap(value) ? value.items.find(({ key }) => isScalar(key) && key.value === step) : undefined
    const found = isSeq(value) ? value.items[Number(step)] : pair?.key
    if (!isNode(found)) break
    node = found
    value = pair === undefined ? found : pair.value
    above.push(value)
  }
  return { node, above: above.slice(0, -1).concat(document.contents) }
}

/** Breaks a note into lines. */
function linesOf({ text, isUnclear }: Note): string[] {
  // Control characters in a document could end the comment.
  const words = `${isUnclear ? 'Unclear: ' : ''}${text}`.split(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/)
  const lines = words.join(' ').match(/\S.{0,98}(?= |$)|\S+/g) ?? []
  return lines.map((line) => ` ${line}`)
}
