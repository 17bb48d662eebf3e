import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/profile/fields-document.ts',
    line: 'if (request !== name && !show(request, field, property)) {',
    replacement: 'true',
    reason: 'A schema that has the field already, as its own request does, is not changed by showing it there again.'
  },
  {
    file: 'src/profile/field-source.ts',
    line: 'of = target(at)?.$id',
    replacement: 'target(at).$id',
    reason: 'Every schema that is looked into is there; the question is for the compiler.'
  }
]
