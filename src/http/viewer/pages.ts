import { createHash } from 'node:crypto'
import type { ConsoleFiles } from '../static-page.js'

/** A recording that a page can show. */
interface Listed {
  readonly name: string
  /** The path of its page, relative to the others. */
  readonly path: string
}

/** The console's page for one of several recordings. It loads the steps from the server. */
export function servedPage({ template }: ConsoleFiles, recordings: readonly Listed[], shown: number): string {
  return withData(template, [['recordings', asText({ recordings, shown })]])
}

/** Escapes a script or a style, so that nothing in it ends or hides it in a page. */
const unclosed = (text: string) => text.replaceAll(/<(\/script|\/style|!--)/gi, String.raw`<\$1`)

/** A page with the console and a recording, which opens without a server. @param lines of the recording's view */
export function selfContainedPage({ template, assets }: ConsoleFiles, file: string, lines: readonly string[]): string {
  const recording: Listed = { name: file, path: '' }
  const contentOf = (ending: string) =>
    [...assets]
      .filter(([file]) => file.endsWith(ending))
      .map(([, { content }]) => unclosed(String(content)))
      .join('\n')
  const [script, style] = [contentOf('.js'), contentOf('.css')]
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'"
  ].join('; ')
  const page = template
    .replaceAll(/\n *<(?:script type="module"|link rel="stylesheet")[^>]*>(?:<\/script>)?/g, '')
    .replace(
      '<meta charset="utf-8">',
      (own) => `${own}\n    <meta http-equiv="content-security-policy" content="${policy}">`
    )
    .replace('</head>', () => `  <style>${style}</style>\n  </head>`)
  return withData(
    page,
    [
      ['recordings', asText({ recordings: [recording], shown: 0 })],
      ['steps', lines.map((line) => escaped(line)).join('\n')]
    ],
    `<script type="module">${script}</script>\n  `
  )
}

/** Adds data at the end of a page, where scripts can read it. */
function withData(page: string, data: readonly (readonly [id: string, json: string])[], script = ''): string {
  const elements = data.map(([id, json]) => `<script type="application/json" id="${id}">${json}</script>\n  `)
  return page.replace('</body>', () => `${elements.join('')}${script}</body>`)
}

/** JSON that can stand in a page. */
const escaped = (json: string) => json.replaceAll('<', String.raw`\u003c`)

const asText = (value: object) => escaped(JSON.stringify(value))

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
