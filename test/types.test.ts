import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CALLS = join(ROOT, 'test/types/api.ts')
const INDEX = join(ROOT, 'src/node/index.ts')
const UNUSED = /^Unused '@ts-expect-error' directive/

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  config: object
}
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [CALLS] }, ts.sys, ROOT)

let last: ts.Program | undefined

/** Compiles the calls, or another text in their place. */
function compile(text?: string): ts.Program {
  const host = ts.createCompilerHost(options, true)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, version, ...rest) =>
    text !== undefined && name.endsWith('test/types/api.ts')
      ? ts.createSourceFile(name, text, version, true)
      : read(name, version, ...rest)
  last = ts.createProgram({ rootNames: [CALLS], options, host, ...(last === undefined ? {} : { oldProgram: last }) })
  return last
}

/** What the compiler says of the calls. */
function problemsOf(text?: string): string[] {
  const program = compile(text)
  const source = program.getSourceFile(CALLS)
  const problems = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  return problems.map(({ messageText, start = 0, file }) => {
    const { line } = file!.getLineAndCharacterOfPosition(start)
    return `${ts.flattenDiagnosticMessageText(messageText, ' ')} (line ${line + 1})`
  })
}

const calls = ts.sys.readFile(CALLS)!

void t.test('right calls compile, and each wrong one does not', async (t) => {
  t.strictSame(problemsOf(), [])
  const expected = calls.match(/\/\/ @ts-expect-error /g) ?? []
  t.ok(expected.length > 40, `${expected.length} wrong calls`)
})

void t.test('a wrong call that compiled would be found', async (t) => {
  const mended = [
    ['{ prot: 4700 }', '{ port: 4700 }'],
    ["{ by: 'PT1H', until: 'idle' }", "{ until: 'idle' }"],
    ["box.call('getWorkgroup', {})", "box.call('getWorkgroup', { workgroupID: 'main' })"],
    ["{ nmae: 'writer' }", "{ name: 'writer' }"]
  ] as const
  const problems = problemsOf(mended.reduce((text, [wrong, right]) => text.replace(wrong, right), calls))
  t.equal(problems.length, mended.length)
  for (const problem of problems) t.match(problem, UNUSED)
})

/** Files that are not those of a package. */
const OWN = /\/(?:src|generated)\//

void t.test('an editor says what every export, method and option is', async (t) => {
  const program = last ?? compile()
  const checker = program.getTypeChecker()
  const isDescribed = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0
  const index = checker.getSymbolAtLocation(program.getSourceFile(INDEX)!)!
  const exported = checker
    .getExportsOfModule(index)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
  t.ok(exported.length > 50)
  t.strictSame(
    exported.filter((symbol) => !isDescribed(symbol)).map(({ name }) => name),
    []
  )
  const told = exported.filter(({ name }) => /^(Mock|Options|CallError|CallPattern|\w+Handle)$/.test(name))
  t.equal(told.length, 14)
  const members = told.flatMap((symbol) =>
    checker
      .getDeclaredTypeOfSymbol(symbol)
      .getProperties()
      .filter(({ declarations = [] }) => declarations.some((one) => OWN.test(one.getSourceFile().fileName)))
      .map((member) => ({ name: `${symbol.name}.${member.name}`, member }))
  )
  t.ok(members.length > 80)
  t.strictSame(
    members.filter(({ member }) => !isDescribed(member)).map(({ name }) => name),
    []
  )
})
