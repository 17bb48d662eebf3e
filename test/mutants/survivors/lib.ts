import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/lib/json-pieces.ts',
    line: 'function add(kind:',
    replacement: 'true',
    reason: 'Only steps of kind `open` have a use for it, and they say it.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'const level = (levels[depth++] ??=',
    replacement: '{}',
    reason: 'Each of its fields is set below.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'const level = (levels[depth++] ??=',
    replacement: 'true',
    reason: 'Each of its fields is set below.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: '} else if (at - done > piece) {',
    replacement: 'at - done >= piece',
    reason: 'A piece may be a byte shorter.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'const parent = split === 0 ?',
    replacement: 'false',
    reason: 'There is no level before the first one, so it is undefined all the same.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (parent !== undefined && parent.comma >= from) {',
    replacement: 'parent.comma > from',
    reason: 'Before such a comma a member is missing, which is found in either way.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (text.length <= PIECE) return parse(text)',
    replacement: 'false',
    reason: 'It spares scanning a short text.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (text.length <= PIECE) return parse(text)',
    replacement: 'text.length < PIECE',
    reason: 'It spares scanning a short text.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: "return { value, path: '', name: '' }",
    replacement: '"Stryker was here!"',
    reason: 'The name is only compared with `constructor`.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (Array.isArray(members)) for',
    replacement: 'false',
    reason: 'It spares a call for each item.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: "const [first = '', ...rest] = field.split('.')",
    replacement: '"Stryker was here!"',
    reason: 'A split text has a first part; the default is for the compiler.'
  },
  {
    file: 'src/lib/recency.ts',
    line: 'if (this.#newest?.item === item) return',
    replacement: 'false',
    reason: 'It spares taking the newest item out, to put it in again.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (timeZones.has(name)) return true',
    replacement: 'false',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/lib/validation.ts',
    line: '/^[A-Za-z]/.test(name) && new Intl.DateTimeFormat(',
    replacement: '/[A-Za-z]/',
    reason: '`Intl` refuses what begins otherwise and still has a letter.'
  },
  {
    file: 'src/lib/validation.ts',
    line: '/^[A-Za-z]/.test(name) && new Intl.DateTimeFormat(',
    replacement: '"Stryker was here!"',
    reason: '`Intl` throws if there is no such zone; what it says of others is never empty.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'false',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'timeZones.size >= 1000',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'true',
    reason: 'It bounds memory; what is a time zone stays the same.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'if (isRight && timeZones.size < 1000) timeZones.add(name)',
    replacement: 'timeZones.size <= 1000',
    reason: 'It bounds memory; what is a time zone stays the same.'
  },
  {
    file: 'src/lib/validation.ts',
    line: '} catch {',
    replacement: '{}',
    reason: 'What is undefined counts as wrong, too.'
  },
  {
    file: 'src/lib/validation.ts',
    line: 'Object.entries(FORMATS).map((',
    replacement: '""',
    reason: 'Ajv takes an empty type of a format for that of texts.'
  },
  {
    file: 'src/lib/document-file.ts',
    line: "yaml.parseDocument(text, { lineCounter: lines, logLevel: 'error' })",
    replacement: '""',
    reason: 'The library prints nothing on a level that it does not know.'
  },
  {
    file: 'src/lib/call-site.ts',
    line: "const { stack = '' } = here",
    replacement: '"Stryker was here!"',
    reason: 'A text without frames has none, whatever it says.'
  },
  {
    file: 'src/lib/call-site.ts',
    line: "return first < 0 ? '' : stack.slice(first)",
    replacement: 'first <= 0',
    reason: 'A stack begins with a line of its own, before the first frame.'
  },
  {
    file: 'src/lib/check.ts',
    line: 'return /^\\[object (Promise|Map|Set|Date|Uint8Array)\\]$/.exec(',
    replacement: '/^\\[object (Promise|Map|Set|Date|Uint8Array)\\]/',
    reason: 'The text ends with the only bracket that closes.'
  },
  {
    file: 'src/lib/check.ts',
    line: 'return /^\\[object (Promise|Map|Set|Date|Uint8Array)\\]$/.exec(',
    replacement: '/\\[object (Promise|Map|Set|Date|Uint8Array)\\]$/',
    reason: 'The text begins with the only bracket that opens.'
  },
  {
    file: 'src/lib/json-pieces.ts',
    line: 'if (Array.isArray(value)) value.push(item)',
    replacement: 'false',
    reason: 'The key of an item is its index, so setting it adds the item, too.'
  },
  {
    file: 'src/lib/nearest.ts',
    line: 'let before: number[] = []',
    replacement: '["Stryker was here"]',
    reason: 'Nothing reads it before the second letter, when it has been replaced.'
  },
  {
    file: 'src/lib/document-file.ts',
    line: 'const offsetOf = ({ range }: Yaml.Node)',
    replacement: 'range[0]',
    reason: 'All that is parsed has a range; the type is also that of nodes that are made.'
  },
  {
    file: 'src/lib/suggestion.ts',
    line: '/^\\d+$/.test(step) ? items : undefined',
    replacement: '/^\\d+/',
    reason: 'An error names an item by its index, and nothing else.'
  },
  {
    file: 'src/lib/suggestion.ts',
    line: '/^\\d+$/.test(step) ? items : undefined',
    replacement: '/\\d+$/',
    reason: 'An error names an item by its index, and nothing else.'
  },
  {
    file: 'src/lib/suggestion.ts',
    line: 'const known = /^must be one of (.+)$/.exec(reason)',
    replacement: '/^must be one of (.+)/',
    reason: 'The reason is one line, so the values go to its end.'
  }
]
