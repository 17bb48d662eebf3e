/** Credentials that can be told by their form. */
const TOKENS: readonly RegExp[] = [
  // PEM
  /-----BEGIN [A-Z0-9 ]+-----[^]*?(?:-----END [A-Z0-9 ]+-----|$)/,
  // JSON Web Tokens, signed or encrypted
  /\beyJ[\w-]{5,}\.[\w-]*\.[\w-]*(?:\.[\w-]+){0,2}/,
  // AWS access keys
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)(?:(?=[A-Z]*\d)[A-Z0-9]{8,}|[A-Z0-9]{16,})(?![a-z])/,
  /(?<![A-Za-z0-9+/])(?=[a-z0-9+/]*[A-Z])(?=[A-Z0-9+/]*[a-z])(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/,
  // GitHub, GitLab, Slack, Stripe and OpenAI, npm, PyPI, Google, SendGrid, HashiCorp, DigitalOcean, Azure
  /\b(?:gh[pousr]_|github_pat_)\w{16,}/,
  /\bgl[a-z]{2,5}-[\w-]{16,}/,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/,
  /\b(?:[srp]k|whsec)[_-][\w-]{12,}/,
  /\b(?:npm_|pypi-|dop_v1_|hv[sbr]\.|SG\.)[\w.-]{16,}/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{10,}|\bGOCSPX-[\w-]{10,}/,
  /\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[\w+/=%&.-]{16,}/
]

const ANY_TOKEN = new RegExp(TOKENS.map(({ source }) => source).join('|'), 'g')

/** Replaces credentials that can be told by their form. */
export function replaceTokens(text: string, replace: (token: string) => string): string {
  return text.replaceAll(ANY_TOKEN, replace)
}

const RUN = /[A-Za-z0-9_+-]{20,}={0,2}/g
const TIME = /^\d{4}-?\d\d-?\d\dT\d/

/** Replaces long texts that look as if they were drawn by lot. */
export function replaceRandom(text: string, replace: (token: string) => string): string {
  return text.replaceAll(RUN, (run) => (looksRandom(run) ? replace(run) : run))
}

/** Whether a text looks as if it was drawn by lot: many different letters and digits that make no words. */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || TIME.test(text) || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false
  // Words and numbers with hyphens or underscores between them are a name, also one with a time.
  if (text.split(/[-_+]/).every((part) => /^(?:\d+|[A-Za-z]+\d{0,2}|v\d+|\d\dT\d\d)$/.test(part))) return false
  return entropyOf(text) > 3
}

/** Shannon entropy of a text, in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length)
  return entropy
}
