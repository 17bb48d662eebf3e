/** Markdown without its marks, for terminals and programs: code is in quotation marks, and links lose their targets. */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(/`(.+?)`/g, "'$1'").replaceAll(/\[(.+?)\]\(.+?\)/g, '$1')

/** The beginning of a text that is longer than so many characters, otherwise the whole. */
export const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)
