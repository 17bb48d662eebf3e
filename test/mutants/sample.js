// A plugin of Stryker that leaves out all but about one of SAMPLE statements and conditions, so that a room can be
// estimated in minutes. Which ones are left does not change from run to run.

const EVERY = Number(process.env.SAMPLE ?? 1)
const SIMPLE = new Set(['ExpressionStatement', 'ReturnStatement', 'VariableDeclaration', 'ThrowStatement'])

/** Spreads lines evenly: neighbours, which often look alike, are not all chosen. */
const isChosen = (line) => Math.imul(line, 0x9e3779b1) >>> 0 < 2 ** 32 / EVERY

/** What holds other statements, such as a function that is kept in a variable, is gone through. */
const isLarge = ({ node: { loc } }) => loc.end.line - loc.start.line > 10

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'sample',
    value: {
      shouldIgnore(path) {
        const isUnit = (SIMPLE.has(path.node.type) && !isLarge(path)) || path.key === 'test'
        return isUnit && !isChosen(path.node.loc.start.line) ? 'not in the sample' : undefined
      }
    }
  }
]
