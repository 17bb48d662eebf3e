import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CALLS = join(ROOT, 'test/types/api.ts')
const INDEX = join(ROOT, 'src/node/index.ts')

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  config: object
}
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [CALLS] }, ts.sys, ROOT)

const program = ts.createProgram({ rootNames: [CALLS], options, host: ts.createCompilerHost(options, true) })

function problems(): string[] {
  const source = program.getSourceFile(CALLS)
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  return found.map(({ messageText, start = 0, file }) => {
    const { line } = file!.getLineAndCharacterOfPosition(start)
    return `${ts.flattenDiagnosticMessageText(messageText, ' ')} (line ${line + 1})`
  })
}

void t.test('valid calls compile, and each invalid one does not', async (t) => {
  t.strictSame(problems(), [])
  const expected = ts.sys.readFile(CALLS)!.match(/\/\/ @ts-expect-error /g) ?? []
  t.ok(expected.length > 30, `${expected.length} wrong calls`)
})

const OWN = /\/(?:src|generated)\//

void t.test('every export, method and option has documentation for editors', async (t) => {
  const checker = program.getTypeChecker()
  const isDescribed = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0
  const index = checker.getSymbolAtLocation(program.getSourceFile(INDEX)!)!
  const exported = checker
    .getExportsOfModule(index)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
  t.ok(exported.length > 50)
  const undescribed = exported.filter((symbol) => !isDescribed(symbol)).map(({ name }) => name)
  t.strictSame(undescribed, [])
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
  const undescribedMembers = members.filter(({ member }) => !isDescribed(member)).map(({ name }) => name)
  t.strictSame(undescribedMembers, [])
})
