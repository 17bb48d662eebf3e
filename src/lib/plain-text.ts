/** Markdown without its marks, for terminals and programs: code is in quotation marks, and links lose their targets. */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(/`(.+?)`/g, "'$1'").replaceAll(/\[(.+?)\]\(.+?\)/g, '$1')
