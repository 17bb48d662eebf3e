import { Document, isMap, isNode, isScalar, isSeq, type Node, visit } from 'yaml'
import type { Note, Place } from '../learn/draft.js'

/** Lines of the profile are no longer, unless a text is. */
const WIDTH = 120
/** Objects and lists with more in them have a line for each entry. */
const MOST_IN_LINE = 100

/** A profile as YAML, with the notes as comments beside the places that they are about. */
export function writeProfile({ profile, notes }: { profile: object; notes: readonly Note[] }): string {
  // Tools that read YAML 1.1 take words such as `off` for other values.
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
  return document.toString({ lineWidth: WIDTH })
}

/** What a comment goes before, the place itself or the nearest thing that contains it, and what that is inside of. */
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

/** Breaks the text of a note into comment lines. Whatever a document contains, it stays within them. */
function linesOf({ text, isUnclear }: Note): string[] {
  // Control characters could end the comment.
  const words = `${isUnclear ? 'Unclear: ' : ''}${text}`.split(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/)
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && line.length + word.length >= WIDTH - 20) {
      lines.push(line)
      line = ''
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
