import { conform } from '../fidelity/conform.js'
import { ExchangeFileError, readExchanges } from '../fidelity/read.js'
import { reportAsHtml } from '../fidelity/report/html.js'
import {
  contradictions,
  nothingCompared,
  reportAsJson,
  reportAsJUnit,
  reportAsText,
  type Reported
} from '../fidelity/report/report.js'
import { didYouMean, nearest } from '../lib/nearest.js'
import { writePrivate } from '../lib/private-file.js'
import { ProfileError } from '../lib/profile-error.js'
import { ASSUMPTIONS } from '../resources/all-assumptions.js'
import { openProfile } from '../resources/open-profile.js'
import { readFlags } from './command.js'
import { CONFORM_FLAGS } from './commands/conform.js'
import { print, printError } from './print.js'
import { progress } from './progress-line.js'
import { keepInput, UsageError, writeError } from './usage.js'

/** Exit codes. */
const [AGREES, CONTRADICTS, NOT_COMPARED] = [0, 1, 2]

const STANDARD_OUTPUT = '-'

const FORMATS = { html: reportAsHtml, json: reportAsJson, junit: reportAsJUnit } as const

/** Compares the mock with recorded exchanges. @returns the exit code */
export async function conformCommand(args: string[]): Promise<number> {
  const { files, profile, allowed, outputs } = read(args)
  const hasFreeOutput = outputs.every(([, file]) => file !== STANDARD_OUTPUT)
  try {
    // Report an invalid profile before reading the exchanges.
    await openProfile(profile)
    const exchanges = await readExchanges(files)
    const conformance = await conform(exchanges, {
      profile,
      onExchange: (done, all) => progress.show(`compared ${done} of ${all} exchanges`)
    })
    progress.clear()
    const reported: Reported = { conformance, exchanges, allowed }
    for (const [format, file] of outputs) write(file, FORMATS[format](reported))
    if (conformance.counts.compared === 0) {
      printError(`svc-mock: ${nothingCompared(conformance)}`)
      return NOT_COMPARED
    }
    const text = reportAsText(reported)
    if (hasFreeOutput) print(text)
    else printError(text)
    return contradictions(reported).length > 0 ? CONTRADICTS : AGREES
  } catch (error) {
    if (!(error instanceof ExchangeFileError || error instanceof ProfileError)) throw error
    printError(`svc-mock: ${error.message}`)
    return NOT_COMPARED
  } finally {
    progress.clear()
  }
}

function read(args: string[]) {
  const { values, positionals: files } = readFlags(CONFORM_FLAGS, args, { allowPositionals: true })
  if (files.length === 0) throw new UsageError('conform needs a file of exchanges, such as one of svc-mock record')
  const ids = ASSUMPTIONS.map(({ id }): string => id)
  const allowed = values.allow.flatMap((list) => list.split(',')).map((id) => id.trim())
  for (const id of allowed)
    if (!ids.includes(id))
      throw new UsageError(`--allow ${id}: there is no such assumption${didYouMean(nearest(id, ids))}`)
  const outputs = (['html', 'json', 'junit'] as const).flatMap((format) => {
    const file = values[format]
    if (file === '') throw new UsageError(`--${format} needs the name of a file`)
    return file === undefined ? [] : [[format, file] as const]
  })
  if (outputs.filter(([, file]) => file === STANDARD_OUTPUT).length > 1)
    throw new UsageError('only one report can go to the standard output')
  for (const [format, file] of outputs) keepInput(`--${format}`, file, files)
  return { files, profile: values.profile ?? '', allowed: new Set(allowed), outputs }
}

function write(file: string, text: string): void {
  if (file === STANDARD_OUTPUT) {
    print(text.trimEnd())
    return
  }
  try {
    writePrivate(file, text)
  } catch (error) {
    // For every reason, the exit code must differ from that of contradictions.
    throw new UsageError(writeError(file, error).message)
  }
}
