import type { Assumption, Section } from '../src/interface/assumption.js'
import { OPERATION_ASSUMPTIONS } from '../src/interface/operation-assumptions.js'
import { ASSUMPTIONS, SECTIONS } from '../src/resources/all-assumptions.js'
import { slugOf } from './doc-blocks.js'
import { wrapped } from './doc-parts.js'

// The assumptions in the documents, generated from their declarations.

const WIDTH = 120

export const SECTION_BLOCKS = SECTIONS.map((section) => ({
  file: section.topic === 'The interface' ? 'docs/interface.md' : 'docs/assumptions.md',
  marker: `assumptions-${slugOf(section.topic)}`,
  generate: () => listOf(section)
}))

/** The list of a section, and how to change its assumptions. */
function listOf({ listed, change }: Section): string {
  const bullets = listed.flatMap(({ id, says }) => wrapped(`- ${named(id)} ${says}`, WIDTH, '  '))
  return [...bullets, '', ...wrapped(`Change it: ${change}`, WIDTH)].join('\n')
}

const named = (id: string) => `**${id}**`

/** docs/interface.md with the column "assumed" made from the code. */
export function withAssumedCells(document: string): string {
  return document.replaceAll(
    /^(\| \d+ \|.*\| `(\w+)` \|(?:[^|]*\|){3})[^|]*\|$/gm,
    (_, cells: string, operation: string) => {
      const its = OPERATION_ASSUMPTIONS.filter(({ operations }) =>
        (operations as readonly string[]).includes(operation)
      )
      const cell = its.map(({ id, cell }) => `${named(id)} ${cell}`).join('; ')
      return `${cells} ${cell === '' ? '' : `${cell} `}|`
    }
  )
}

/** The documents that list assumptions. */
export const ASSUMED = ['docs/assumptions.md', 'docs/interface.md', 'docs/generated/interface-fields.md']

/** The ids of the assumptions that a document states. */
export const idsIn = (text: string): string[] =>
  [...text.matchAll(/\*\*(P-\d{3})\*\*|(?<=\| )(P-\d{3})(?= \|)/g)].map(([, bold, cell]) => (bold ?? cell)!)

export const DECLARED_IDS: readonly string[] = ASSUMPTIONS.map(({ id }) => id)

interface IdsEverGiven {
  /** The beginning of each assumption, by id. */
  readonly given: Readonly<Record<string, string>>
  readonly retired: readonly string[]
}

/** Enough to recognize an assumption. */
const beginningOf = ({ says }: Assumption): string => says.slice(0, 60)

const idsEverGiven = (text: string) => JSON.parse(text) as IdsEverGiven

export function withNewIds(text: string): string {
  const { given, retired } = idsEverGiven(text)
  const present = Object.fromEntries(ASSUMPTIONS.map((assumption) => [assumption.id, beginningOf(assumption)]))
  const all = Object.entries({ ...present, ...given }).sort()
  return `${JSON.stringify({ given: Object.fromEntries(all), retired }, null, 2)}\n`
}

export function idProblems(text: string): string[] {
  const { given, retired } = idsEverGiven(text)
  const gone = Object.keys(given).filter((id) => !DECLARED_IDS.includes(id) && !retired.includes(id))
  return [
    ...gone.map((id) => `${id} has gone: list it as retired`),
    ...ASSUMPTIONS.flatMap((assumption) => {
      const { id } = assumption
      if (retired.includes(id)) return [`${id} is retired: take another one`]
      return given[id] === beginningOf(assumption)
        ? []
        : [`${id} means something else: take a new id, or change its line if these are only other words`]
    })
  ]
}
