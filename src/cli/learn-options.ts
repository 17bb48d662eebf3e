/** Options of `learn`, with the placeholders of their values. */
export const LEARN_OPTIONS: Readonly<Record<string, { readonly help: string; readonly placeholder?: string }>> = {
  openapi: { placeholder: 'FILE', help: "The service's own document: OpenAPI 3 or Swagger 2, in JSON or YAML." },
  name: { placeholder: 'NAME', help: 'Name of the profile. Default: the title of the document, or learned.' },
  out: { placeholder: 'FILE', help: 'Where to write the profile. Default: the standard output.' },
  force: { help: 'Overwrite that file.' }
}
