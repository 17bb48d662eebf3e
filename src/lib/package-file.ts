/** A file or directory of the package. @param path relative to its root; a directory ends with a slash */
export function packageFile(path: string): URL {
  // This module is as deep in the bundle (dist/chunks/) as in src/lib/.
  return new URL(`../../${path}`, import.meta.url)
}
