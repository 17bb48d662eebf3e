const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @param forms by field @returns writes the id of a field in its form; undefined: unchanged */
export function writerOf(forms: Readonly<Record<string, string>>) {
  return (field: string, id: string) =>
    UUID.test(id) ? forms[field]?.replace('{{uuid}}', id).replace('{{hex}}', id.replaceAll('-', '')) : undefined
}
