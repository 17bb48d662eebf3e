import { fileURLToPath } from 'node:url'
import { conform } from '../src/fidelity/conform.js'
import type { LedgerEntry } from '../src/fidelity/ledger.js'
import { readExchanges } from '../src/fidelity/read.js'
import { SHIPPED_PROFILES } from '../src/profile/shipped.js'
import { layOut } from './doc-parts.js'

/** Published replies of the service; see evidence/README.md. */
const FILE = fileURLToPath(new URL('fidelity/evidence/observed.har', import.meta.url))

/** Assumptions about ids and headers. Those of the published replies are not the service's. */
const UNPUBLISHED = ['P-004', 'P-077']

/** The verdicts of the published replies on each assumption, under a shipped profile. */
export async function publishedLedger(profile: string): Promise<readonly LedgerEntry[]> {
  const { ledger } = await conform(await readExchanges([FILE]), { profile })
  return ledger.map((entry) => (UNPUBLISHED.includes(entry.id) ? { ...entry, verdict: 'unseen' } : entry))
}

/** Makes `src/resources/published.ts`. */
export async function publishedSource(): Promise<string> {
  const decisions = new Map<string, string[]>()
  for (const profile of Object.keys(SHIPPED_PROFILES)) {
    const decided = (await publishedLedger(profile)).filter(({ verdict }) => verdict !== 'unseen')
    const lines = decided.map(({ id, verdict, agreeing, examples }) => {
      const deciding = verdict === 'confirmed' ? agreeing : examples.map(({ exchange }) => exchange)
      return `'${id}': { verdict: '${verdict}', exchanges: [${[...new Set(deciding)].join(', ')}] }`
    })
    decisions.set(profile, lines)
  }
  const [first = [], ...others] = decisions.values()
  const alike = new Set(first.filter((line) => others.every((lines) => lines.includes(line))))
  const parts = Array.from(decisions, ([profile, lines]) => {
    const own = lines.filter((line) => !alike.has(line))
    return `${profile}: { ${['...ALIKE', ...own].join(',\n')} }`
  })
  const text = `// Made from test/fidelity/evidence/ by test/published.ts. Do not edit it: \`npm run docs\` updates it.

/** The verdict of published replies on an assumption. */
interface Published {
  readonly verdict: 'confirmed' | 'contradicted'
  /** Numbers of the first exchanges that decide it, from 1. */
  readonly exchanges: readonly number[]
}

/** Verdicts that hold under every shipped profile, by the id of the assumption. */
const ALIKE: Readonly<Record<string, Published>> = { ${[...alike].join(',\n')} }

/** The verdicts under each shipped profile, by the id of the assumption. */
export const PUBLISHED: Readonly<Record<string, Readonly<Record<string, Published>>>> = { ${parts.join(',\n')} }
`
  return layOut(text)
}
