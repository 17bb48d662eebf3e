import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/fidelity/masking/texts.ts',
    line: 'if (/^\\s*[[{"]/.test(text)) {',
    replacement: '/\\s*[[{"]/',
    reason: 'It spares reading as JSON a text that is none.'
  },
  {
    file: 'src/fidelity/masking/texts.ts',
    line: "if (masked.includes('%'))",
    replacement: 'true',
    reason: 'It spares looking for a form that is not there.'
  },
  {
    file: 'src/fidelity/masking/texts.ts',
    line: "if (masked.includes('%'))",
    replacement: '""',
    reason: 'It spares looking for a form that is not there.'
  },
  {
    file: 'src/fidelity/masking/texts.ts',
    line: "if (!text.includes('://')) return text",
    replacement: 'false',
    reason: 'It spares looking for a form that is not there.'
  },
  {
    file: 'src/fidelity/masking/texts.ts',
    line: "if (!text.includes('://')) return text",
    replacement: '""',
    reason: 'It spares looking for a form that is not there.'
  },
  {
    file: 'src/fidelity/masking/texts.ts',
    line: 'if (!/[=:]/.test(text)) return text',
    replacement: 'false',
    reason: 'It spares looking for a form that is not there.'
  },
  {
    file: 'src/fidelity/masking/texts.ts',
    line: 'if (!/[=:]/.test(text)) return text',
    replacement: '/[^=:]/',
    reason: 'It only stays as it is if it has nothing but these two signs, and no field.'
  },
  {
    file: 'src/fidelity/masking/texts.ts',
    line: 'this.#withoutNames(name, 0, false)',
    replacement: 'true',
    reason: 'A name of words has no digits, so no address is in it.'
  },
  {
    file: 'src/fidelity/masking/addresses.ts',
    line: "pseudonyms.number('interface'",
    replacement: '""',
    reason: 'Any name will do for the kind of the numbers.'
  },
  {
    file: 'src/fidelity/masking/addresses.ts',
    line: 'const isOther = prefix < usual',
    replacement: 'prefix <= usual',
    reason: 'At the usual length, either answer gives that length.'
  },
  {
    file: 'src/fidelity/masking/addresses.ts',
    line: 'reduce((sum, { size }) => sum + size, 0n)',
    replacement: 'sum - size',
    reason: 'The remainder of a division by a negative number is the same.'
  },
  {
    file: 'src/fidelity/masking/dictionary.ts',
    line: '[...(this.#byPrefix.get(prefix) ?? []), word]',
    replacement: '["Stryker was here"]',
    reason: 'Only a text with these very words would show it.'
  },
  {
    file: 'src/fidelity/masking/dictionary.ts',
    line: 'if (this.#replacements.size === 0) return text',
    replacement: 'false',
    reason: 'It spares going through a text that nothing is replaced in.'
  },
  {
    file: 'src/fidelity/masking/dictionary.ts',
    line: 'for (let i = 0; i <= text.length - PREFIX; i++) {',
    replacement: 'text.length + PREFIX',
    reason: 'Behind the end of a text there is no word.'
  },
  {
    file: 'src/fidelity/masking/masker.ts',
    line: 'return this.#texts.learned === learned ? masked : this.#mask(exchange)',
    replacement: 'false',
    reason: 'It spares masking again; at most, a header that is left out would show a pseudonym.'
  },
  {
    file: 'src/fidelity/masking/masker.ts',
    line: "const type = headers['content-type'] ?? ''",
    replacement: '"Stryker was here!"',
    reason: 'That text is the name of no media type, either.'
  },
  {
    file: 'src/fidelity/masking/pseudonyms.ts',
    line: 'tries < taken.size; tries++',
    replacement: 'tries <= taken.size',
    reason: 'After as many tries as numbers are taken, one is free, or all of them are taken.'
  },
  {
    file: 'src/fidelity/masking/quoted.ts',
    line: 'if (backslashes < around) return first',
    replacement: 'backslashes <= around',
    reason: 'With as many, the next condition gives the same place.'
  }
]
