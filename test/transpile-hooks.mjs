import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

// Node's hooks for TypeScript, see transpile.mjs.

/** As in TypeScript, an import of `x.js` means `x.ts`. */
export async function resolve(specifier, context, nextResolve) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true }
  }
  return nextResolve(specifier, context)
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const path = fileURLToPath(url)
  return { format: 'module', source: await transpile(path, readFileSync(path, 'utf8')), shortCircuit: true }
}

/** @returns JavaScript with its source map, for coverage and stack traces */
async function transpile(path, source) {
  const { code, map, errors, helpersUsed } = transformSync(path, source, { sourcemap: true, target: 'es2023' })
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join('\n'))
  // `using` would need a helper from a package that is not installed; TypeScript inlines its own.
  if (Object.keys(helpersUsed).length > 0) return transpileSlowly(path, source)
  const inline = Buffer.from(JSON.stringify(map)).toString('base64')
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`
}

async function transpileSlowly(fileName, source) {
  const { default: ts } = await import('typescript')
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    inlineSourceMap: true,
    inlineSources: true
  }
  return ts.transpileModule(source, { fileName, compilerOptions }).outputText
}
