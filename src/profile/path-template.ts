/** A path with parameters in braces, such as `/workgroups/{workgroupID}`. */
export interface PathTemplate {
  readonly text: string
  /** Names of its parameters, in order. */
  readonly parameters: readonly string[]
  /** Equal for paths that differ only in the names of their parameters. */
  readonly shape: string
}

const LONGEST = 1024

/** Paths that the server itself uses, independent of the base path. */
const RESERVED = /^\/(?:(?:_mock|docs)(?:\/|$)|openapi\.json$|$)/

const PARAMETER = /^\{([A-Za-z]\w*)\}$/
const LITERAL = /^[\w.~-]+$/

/** Reads a path. @returns the reason if it is not valid */
export function parsePath(text: string): PathTemplate | string {
  if (text.length > LONGEST) return `must have at most ${LONGEST} characters`
  if (!text.startsWith('/')) return 'must begin with a slash'
  if (RESERVED.test(text)) return 'is a path that the server itself uses'
  // A path with a slash at the end is valid, and differs from one without.
  const segments = text.replace(/\/$/, '').slice(1).split('/')
  const wrong = segments.find(
    (segment) => !PARAMETER.test(segment) && (!LITERAL.test(segment) || /^\.\.?$/.test(segment))
  )
  if (wrong !== undefined) {
    return (
      `has the segment ${JSON.stringify(wrong)}; each must be letters, digits, ".", "_", "~" or "-", or a parameter ` +
      'such as {workspaceID}'
    )
  }
  const parameters = segments.flatMap((segment) => PARAMETER.exec(segment)?.slice(1) ?? [])
  const twice = parameters.find((name, index) => parameters.indexOf(name) !== index)
  if (twice !== undefined) return `has the parameter ${twice} twice`
  return { text, parameters, shape: fillPath(text, () => '{}') }
}

/** Replaces each parameter of a path. */
export function fillPath(text: string, replace: (index: number, name: string) => string): string {
  let index = 0
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => replace(index++, name))
}
