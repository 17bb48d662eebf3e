import { writeFile } from 'node:fs/promises'
import { readDocument } from '../fidelity/learn/description.js'
import { type Learned, learnFromDocument, learnFromExchanges, type Summary } from '../fidelity/learn/learn.js'
import { writeProfile } from '../fidelity/learn/write.js'
import { ExchangeFileError, readExchanges } from '../fidelity/read.js'
import { nothingCompared } from '../fidelity/report/report.js'
import { DocumentError } from '../interface/document-file.js'
import { quantity } from '../lib/quantity.js'
import { readFlags } from './command.js'
import { LEARN_FLAGS } from './commands/learn.js'
import { describeInterface } from './openapi.js'
import { print, printError } from './print.js'
import { progress } from './progress-line.js'
import { keepInput, UsageError, writeError } from './usage.js'

/** Learns a profile from exchanges, an OpenAPI document, or both. @returns the exit code */
export async function learnCommand(args: string[]): Promise<number> {
  const { files, openapi, name, out, force } = read(args)
  const documented = openapi === undefined ? undefined : await learnDocument(openapi, name)
  let learned
  try {
    learned = files.length === 0 ? documented! : await learnFromFiles(files, name, documented)
  } catch (error) {
    if (!(error instanceof ExchangeFileError)) throw error
    printError(`svc-mock: ${error.message}`)
    return 2
  }
  const text = writeProfile(learned)
  if (out === undefined) print(text.trimEnd())
  else
    await writeFile(out, text, { flag: force ? 'w' : 'wx' }).catch((error: unknown) => {
      throw writeError(out, error)
    })
  if (documented !== undefined) printError(toText(documented.summary))
  if ('lines' in learned) printError(inColumns(learned.lines))
  return 0
}

async function learnDocument(file: string, name: string | undefined) {
  const own: unknown = JSON.parse(await describeInterface('/openapi.json'))
  try {
    const { document, duplicates } = await readDocument(file)
    return learnFromDocument(own, document, duplicates, name)
  } catch (error) {
    throw error instanceof DocumentError ? new Error(`${file} ${error.message}`, { cause: error }) : error
  }
}

/** @param base what was learned from an OpenAPI document */
async function learnFromFiles(files: readonly string[], name: string | undefined, base: Learned | undefined) {
  const exchanges = await readExchanges(files)
  const all = files.join(', ')
  if (exchanges.length === 0) throw new Error(`${all} ${files.length === 1 ? 'has' : 'have'} no exchanges`)
  const { profile, notes, conformance } = await learnFromExchanges(exchanges, {
    name,
    base,
    onExchange: (done, total, round) => progress.show(`comparison ${round}: ${done} of ${total} exchanges`)
  }).finally(progress.clear)
  const { compared } = conformance.counts
  if (compared === 0)
    throw new Error(
      `${all}: ${nothingCompared(conformance)}; ` +
        'if the service has other paths, give its OpenAPI document with --openapi'
    )
  const left = conformance.ledger.filter(({ verdict }) => verdict === 'contradicted').length
  const unclear = notes.filter(({ isUnclear }) => isUnclear).length
  const lines = [
    ['compared', `${compared} of ${exchanges.length} exchanges`],
    ['left', `${left} assumptions that still differ${left === 0 ? '' : '; see the first comments in the profile'}`],
    ['unclear', unclearIn(unclear)]
  ] as const
  return { profile, notes, lines }
}

function read(args: string[]) {
  const { values, positionals: files } = readFlags(LEARN_FLAGS, args, { allowPositionals: true })
  const { openapi, name, out, force = false } = values
  if (openapi === '') throw new UsageError('--openapi needs the name of a file')
  if (files.includes('')) throw new UsageError('a file needs a name')
  if (files.length === 0 && openapi === undefined)
    throw new UsageError('name files with recorded exchanges, or an OpenAPI document with --openapi')
  if (name === '') throw new UsageError('--name needs a name')
  if (out === '') throw new UsageError('--out needs the name of a file')
  if (out !== undefined) keepInput('--out', out, openapi === undefined ? files : [...files, openapi])
  if (force && out === undefined) throw new UsageError('--force needs --out')
  return { files, openapi, name, out, force }
}

function toText({ operations, matched, renamed, added, stubbed, unclear }: Summary): string {
  return inColumns([
    ['matched', `${matched} of ${operations} operations; svc-mock still serves the others`],
    ['renamed', quantity(renamed, 'name')],
    ['added', quantity(added, 'field')],
    ['stubbed', quantity(stubbed, 'operation')],
    ['unclear', unclearIn(unclear)]
  ])
}

const unclearIn = (count: number) => `${count}${count === 0 ? '' : '; see the comments in the profile'}`

const inColumns = (rows: readonly (readonly [name: string, value: string])[]) =>
  rows.map(([name, value]) => `${name.padEnd(8)} ${value}`).join('\n')
