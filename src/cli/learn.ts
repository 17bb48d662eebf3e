import { readFile, stat, writeFile } from 'node:fs/promises'
import { learn, type Summary } from '../learn/learn.js'
import { LearnError } from '../learn/problem.js'
import { readDocument } from '../learn/read.js'
import { writeProfile } from '../learn/write.js'
import { fileProblem } from '../lib/file-problem.js'
import { LEARN_OPTIONS } from './learn-options.js'
import { describeInterface } from './openapi.js'
import { asksForHelp, parseCommandLine, UsageError } from './usage.js'

const HELP = `Usage: svc-mock profile learn --openapi FILE [--out FILE [--force]]

Writes a profile under which svc-mock behaves as the OpenAPI document of a
service says: with its names, fields, values and paths, and with stubs for
operations that svc-mock does not simulate. It recognises operations by the words
of their paths, and schemas by their names and fields. The same document always
gives the same profile. What cannot be told for certain is a comment that begins with
"Unclear"; read these before you use the profile. Nothing is fetched: references
to other documents are only named.

Options:
${Object.entries(LEARN_OPTIONS)
  .map(
    ([name, { placeholder, help }]) => `  --${name}${placeholder === undefined ? '' : ` ${placeholder}`}\n      ${help}`
  )
  .join('\n')}

Example:
  svc-mock profile learn --openapi service.yaml --out profile.yaml

Exit codes: 0 done, 1 nothing can be learned from the document, 2 mistake in the
command line.`

/** A larger document is none that a service has. */
const LARGEST = 64 * 1024 * 1024

/** Learns a profile from an OpenAPI document. @returns the exit code */
export async function learnCommand(args: string[]): Promise<number> {
  if (asksForHelp(args)) {
    console.log(HELP)
    return 0
  }
  const { openapi, out, force } = read(args)
  const { document, duplicates } = await textOf(openapi).then(readDocument).catch(named(openapi))
  const own: unknown = JSON.parse(await describeInterface('/openapi.json', {}))
  const learned = await Promise.resolve()
    .then(() => learn(own, document, duplicates))
    .catch(named(openapi))
  const text = writeProfile(learned)
  if (out === undefined) console.log(text.trimEnd())
  else await write(out, text, force)
  console.error(toText(learned.summary))
  return 0
}

function read(args: string[]): { openapi: string; out: string | undefined; force: boolean } {
  const {
    openapi,
    out,
    force = false
  } = parseCommandLine({
    args,
    options: {
      openapi: { type: 'string' },
      out: { type: 'string' },
      force: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  }).values
  if (openapi === undefined || openapi === '') throw new UsageError('profile learn needs --openapi FILE')
  if (out === '') throw new UsageError('--out needs the name of a file')
  if (force && out === undefined) throw new UsageError('--force says nothing without --out')
  return { openapi, out, force }
}

async function textOf(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > LARGEST) throw new LearnError(`has ${size} bytes; at most ${LARGEST} are read`)
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    throw error instanceof LearnError ? error : new LearnError(fileProblem(error, 'read'), { cause: error })
  }
}

/** Puts the name of the file before what is wrong with it. */
function named(file: string) {
  return (error: unknown): never => {
    throw error instanceof LearnError ? new Error(`${file} ${error.message}`, { cause: error }) : error
  }
}

async function write(file: string, text: string, force: boolean): Promise<void> {
  await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${file} exists; --force overwrites it`)
    // A disk that is full is no mistake in the command line.
    const Failure = code === 'ENOSPC' ? Error : UsageError
    throw new Failure(`${file} ${fileProblem(error, 'written')}`)
  })
}

function toText(summary: Summary): string {
  const { operations, matched, missing, further, renamed, added, omitted, moved, stubbed, unclear } = summary
  return [
    ['matched', `${matched} of ${operations} operations, and ${further} further paths to them`],
    ['missing', `${missing} operations, which svc-mock still serves`],
    ['moved', `${moved} operations`],
    ['renamed', `${renamed} names`],
    ['added', `${added} fields`],
    ['omitted', `${omitted} fields`],
    ['stubbed', `${stubbed} operations`],
    ['unclear', `${unclear}${unclear === 0 ? '' : '; see the comments in the profile'}`]
  ]
    .map(([name, value]) => `${name!.padEnd(8)} ${value!}`)
    .join('\n')
}
