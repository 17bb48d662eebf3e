import { escapeXml } from './escape-xml.js'

interface JUnitCase {
  /** The class to which it belongs. */
  readonly of: string
  readonly name: string
  /** Why it was skipped; undefined if it was not. */
  readonly skipped?: string | undefined
  readonly failures?: readonly { readonly type: string; readonly message: string; readonly text?: string }[]
}

interface JUnitSuite {
  readonly name: string
  readonly cases: readonly JUnitCase[]
}

/** Formats results as JUnit XML, which every CI can show. */
export function toJUnit(name: string, suites: readonly JUnitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${countsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name: suite, cases }) => [
      `  <testsuite name="${escapeXml(suite)}" ${countsOf(cases)}>`,
      ...cases.map((one) => `    ${testCase(one)}`),
      '  </testsuite>'
    ]),
    '</testsuites>',
    ''
  ].join('\n')
}

function countsOf(cases: readonly JUnitCase[]): string {
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  const failures = cases.filter((one) => one.skipped === undefined && hasFailed(one)).length
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`
}

const hasFailed = ({ failures = [] }: JUnitCase) => failures.length > 0

function testCase({ of, name, skipped, failures = [] }: JUnitCase): string {
  const start = `<testcase classname="${escapeXml(of)}" name="${escapeXml(name)}"`
  if (skipped !== undefined) return `${start}><skipped message="${escapeXml(skipped)}"/></testcase>`
  if (failures.length === 0) return `${start}/>`
  const shown = failures.map(
    ({ type, message, text = message }) =>
      `<failure type="${escapeXml(type)}" message="${escapeXml(message)}">${escapeXml(text)}</failure>`
  )
  return `${start}>${shown.join('')}</testcase>`
}
