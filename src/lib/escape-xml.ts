const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;'
}

/** Control characters, which XML does not allow. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A text as it can stand in XML or HTML, also as the value of an attribute. */
export function escapeXml(text: string): string {
  return text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
}
