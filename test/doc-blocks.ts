import { existsSync } from 'node:fs'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'
import { calledBy, commandNameOf } from '../src/cli/command.js'
import { COMMANDS as LISTED } from '../src/cli/commands.js'
import { readExploreRequest } from '../src/cli/explore-arguments.js'
import { readMcpRequest } from '../src/cli/mcp.js'
import { readRunRequest } from '../src/cli/run.js'
import { readServeOptions } from '../src/cli/serve.js'
import { OPTIONS } from '../src/options.js'
import { read } from './doc-parts.js'

// Static checks of documents: links, and blocks of code.

/** Stands for omitted parts in a block. */
export const REST = '…'

const ROOT = new URL('../', import.meta.url)

const FENCED = /^```(\S*)\n(.*?)^```$/gms

/** The blocks of code of a document, each with the line in which it begins. */
export function blocksOf(text: string) {
  return [...text.matchAll(FENCED)].map(({ index, 1: language, 2: code }) => ({
    language: language!,
    code: code!,
    line: text.slice(0, index).split('\n').length
  }))
}

const proseOf = (text: string) => text.replaceAll(FENCED, '').replaceAll(/`[^`\n]*`/g, '')

/** The links within the repository. The file is empty for a link to the same document. */
export function linksOf(text: string) {
  const targets = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return targets
    .filter((target) => !/^[a-z]+:/i.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#')
      return { file, anchor }
    })
}

/** The anchors of a document's headings, as GitHub makes them: the second of two equal ones gets `-1`. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  const seen = new Map<string, number>()
  for (const [, heading] of text.replaceAll(FENCED, '').matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = slugOf(heading!)
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

/** The anchor of a heading: in lower case, without punctuation, and with hyphens for spaces. */
export function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
}

/** Problems in a block of code, if its language is known. */
export function problemsOf({ language, code }: Readonly<Record<'language' | 'code', string>>): string[] {
  switch (language) {
    case 'json':
      return attempt(() => JSON.parse(code.replaceAll(REST, `"${REST}": 0`)))
    case 'js':
    case 'ts':
      return scriptProblems(code, language)
    case 'yaml':
      return parseAllDocuments(code).flatMap(({ errors }) => errors.map(({ message }) => message))
    case 'sh':
      return commandsOf(code).flatMap(commandProblems)
    default:
      return []
  }
}

function attempt(step: () => unknown): string[] {
  try {
    step()
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function scriptProblems(code: string, language: string): string[] {
  const { diagnostics = [] } = ts.transpileModule(code, {
    fileName: `block.${language}`,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, allowJs: true }
  })
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

/** The commands of a shell block, each as its words. */
function commandsOf(code: string): string[][] {
  const lines = code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map(wordsOf).flatMap((words) => {
    const commands: string[][] = [[]]
    for (const word of words) {
      if (['&&', '||', '|', ';', '&'].includes(word)) commands.push([])
      else commands.at(-1)!.push(word)
    }
    return commands
  })
}

export function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!
  )
}

/** Unknown names in a command of svc-mock, npm or Compose. */
function commandProblems(words: readonly string[]): string[] {
  const [first, second, ...rest] = words
  if (first === 'svc-mock') return ownProblems(words.slice(1))
  if (first === 'npx' && second === '--no-install' && rest[0] === 'svc-mock') return ownProblems(rest.slice(1))
  if (first === 'node' && second === 'dist/cli/main.js') return ownProblems(rest)
  if (first === 'docker' && second === 'exec' && rest[1] === 'svc-mock') return ownProblems(rest.slice(2))
  if (first === 'docker' && second === 'compose') return composeProblems(rest)
  if (first === 'npm') return npmProblems(words.slice(1))
  return []
}

function ownProblems([name = '', ...args]: readonly string[]): string[] {
  if (args.includes('--help') || args.includes('-h')) return []
  if (['--help', '--version', '-h', '-v'].includes(name)) return []
  const command = COMMANDS.get(name)
  if (command === undefined) return [`there is no command ${name}`]
  const read = READERS[name]
  if (read !== undefined) return attempt(() => read(args, {}))
  const { flags = {}, server, subcommands = [] } = command
  const called = calledBy(args, subcommands)
  const calledName = called === undefined ? [] : commandNameOf(called)
  if (subcommands.length > 0 && called === undefined)
    return [`there is no command ${name} ${args.slice(0, 2).join(' ')}`]
  const known = [
    ...Object.keys({ ...flags, ...called?.flags }).map((flag) => `--${flag}`),
    ...(server?.options ?? []).map((option) => OPTIONS[option].flag)
  ]
  return flagsOf(args)
    .filter((flag) => !known.includes(flag))
    .map((flag) => `${[name, ...calledName].join(' ')} has no option ${flag}`)
}

/** The commands that can be checked by their own readers. */
const READERS: Readonly<Record<string, (args: readonly string[], env: Readonly<Record<string, string>>) => unknown>> = {
  serve: readServeOptions,
  explore: readExploreRequest,
  run: readRunRequest,
  mcp: readMcpRequest
}

const COMMANDS = new Map(
  await Promise.all(Object.entries(LISTED).map(async ([name, { load }]) => [name, await load()] as const))
)

const flagsOf = (args: readonly string[]) =>
  args.filter((word) => word.startsWith('--')).map((word) => word.split('=', 1)[0]!)

function composeProblems(args: readonly string[]): string[] {
  return args
    .filter((_, index) => args[index - 1] === '-f' && args[index] !== undefined)
    .filter((file) => !existsSync(new URL(file, ROOT)))
    .map((file) => `there is no file ${file}`)
}

const NPM_COMMANDS = ['ci', 'init', 'install', 'i', 'pack']
const PACKAGE = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }

function npmProblems([command = '', ...args]: readonly string[]): string[] {
  if (NPM_COMMANDS.includes(command)) return []
  const script = command === 'run' ? args.find((word) => !word.startsWith('-')) : command
  const { scripts } = PACKAGE
  if (script === undefined || scripts[script] === undefined) return [`package.json has no script ${script ?? command}`]
  const dashes = args.indexOf('--')
  return script === 'start' && dashes >= 0 ? ownProblems(['serve', ...args.slice(dashes + 1)]) : []
}
