import { Document, isMap, isNode, isScalar, isSeq, type Node, type Pair, visit } from 'yaml'
import type { Note, Place } from '../learn/draft.js'

/** Lines of the profile are no longer, unless a text is. */
const WIDTH = 120
/** Objects and lists with more in them have a line for each entry. */
const MOST_IN_LINE = 100

/** A profile as YAML, with the notes as comments beside the places that they are about. */
export function writeProfile({ profile, notes }: { profile: object; notes: readonly Note[] }): string {
  // Tools that read YAML 1.1 take words such as `off` for other values.
  const document = new Document(profile, { aliasDuplicateObjects: false, compat: 'yaml-1.1' })
  const comments = new Map<Node, string[]>()
  const rest: string[] = []
  for (const note of notes) {
    const node = nodeAt(document, note.place)
    const lines = linesOf(note)
    if (node === undefined) for (const line of lines) rest.push(line)
    else comments.set(node, [...(comments.get(node) ?? []), ...lines])
  }
  for (const [node, lines] of comments) node.commentBefore = lines.join('\n')
  if (rest.length > 0) document.commentBefore = rest.join('\n')
  visit(document, {
    Collection: (_, node, path) => {
      // A comment within braces would break the line.
      if (isInLine(node, path.length) && !has(node, comments) && lengthOf(node) <= MOST_IN_LINE) node.flow = true
    },
    Pair: (_, { key }, path) => {
      if (path.length === 2 && isNode(key)) key.spaceBefore = !['profile', 'name'].includes(String(key))
    }
  })
  return document.toString({ lineWidth: WIDTH })
}

/** What a comment goes before: the place itself, or the nearest thing that contains it. Undefined for the document. */
function nodeAt(document: Document, place: Place): Node | undefined {
  let node: unknown = document.contents
  let found: Node | undefined
  for (const step of place) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(({ key }) => isScalar(key) && key.value === step)
      if (pair === undefined) break
      found = pair.key as Node
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      if (!isNode(node)) break
      found = node
    } else {
      break
    }
  }
  return found
}

/** How deep the rules are in a profile: inside a part and a schema. */
const RULES = 6

/** Rules, entries of lists, and lists of words can be in one line. */
function isInLine(node: Node, depth: number): boolean {
  return depth >= RULES || (depth > 3 && isSeq(node) ? node.items.every(isScalar) : depth % 2 === 0)
}

function has(node: Node, comments: ReadonlyMap<Node, unknown>): boolean {
  let isFound = false
  visit(node, {
    Node: (_, inner) => {
      if (inner === node || !comments.has(inner)) return
      isFound = true
      return visit.BREAK
    }
  })
  return isFound
}

const lengthOf = (node: Node) => JSON.stringify(node.toJSON()).length

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
