/** What the form of a verification holds about one call: texts, which are empty where anything will do. */
export interface CallDraft {
  readonly operation: string
  readonly workspace: string
  readonly workgroup: string
  readonly status: string
  /** JSON. */
  readonly query: string
  readonly body: string
}

/** One call and how often it is expected, or several in this order. */
export interface ExpectationDraft {
  readonly calls: readonly CallDraft[]
  readonly exactly: string
  readonly atLeast: string
  readonly atMost: string
}

export const ANY_CALL: CallDraft = { operation: '', workspace: '', workgroup: '', status: '', query: '', body: '' }

/** Where the fields of a call are in the expectation. */
export const pathOf = ({ calls }: ExpectationDraft, index: number) => (calls.length === 1 ? '' : `sequence.${index}.`)

/** The fields that should hold JSON and do not, by path, each with the reason. */
export function unreadable(draft: ExpectationDraft): Readonly<Record<string, string>> {
  const problems = draft.calls.flatMap((call, index) =>
    (['query', 'body'] as const)
      .filter((name) => call[name].trim() !== '' && !isJson(call[name]))
      .map((name) => [`${pathOf(draft, index)}where.${name}`, 'must be JSON'] as const)
  )
  return Object.fromEntries(problems)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The expectation that a draft describes, if all of it {@link unreadable can be read}. */
export function expectationOf({ calls, exactly, atLeast, atMost }: ExpectationDraft): object {
  if (calls.length > 1) return { sequence: calls.map(patternOf) }
  const times = given({ exactly: numberOf(exactly), atLeast: numberOf(atLeast), atMost: numberOf(atMost) })
  return { ...patternOf(calls[0]!), ...(isEmpty(times) ? {} : { times }) }
}

function patternOf({ operation, workspace, workgroup, status, query, body }: CallDraft): object {
  const where = given({
    workgroup_id: workgroup.trim() || undefined,
    workspace_id: workspace.trim() || undefined,
    status: numberOf(status),
    query: jsonOf(query),
    body: jsonOf(body)
  })
  return { operation, ...(isEmpty(where) ? {} : { where }) }
}

const numberOf = (text: string): number | undefined => (text === '' ? undefined : Number(text))

const jsonOf = (text: string): unknown => (text.trim() === '' ? undefined : JSON.parse(text))

/** Leaves out what is undefined. */
const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0

/** The RequestIDs of calls that nearly match, from the reasons that the server gives. */
export const nearMisses = (reasons: readonly string[]): string[] =>
  reasons.flatMap((reason) => /^in (.+?), /.exec(reason)?.[1] ?? [])
