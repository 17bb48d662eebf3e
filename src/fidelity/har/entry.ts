/** What there is of an HTTP Archive (HAR) 1.2 in all of them, or in those that follow it. Tools leave out a lot. */
export interface HarEntry {
  readonly startedDateTime?: string
  /** Milliseconds. */
  readonly time?: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: readonly HarPair[]
    readonly queryString?: readonly HarPair[]
    readonly postData?: HarPostData
  }
  readonly response?: {
    /** 0, or -1 in some: there was none. */
    readonly status?: number
    readonly headers?: readonly HarPair[]
    readonly content?: HarContent
  }
}

/** A header, a query parameter, or a field of a form. */
export interface HarPair {
  readonly name: string
  /** A number in some. */
  readonly value?: string | number
}

/** Body of a request. */
export interface HarPostData {
  readonly mimeType?: string
  readonly text?: string
  readonly params?: readonly HarPair[]
  /** Not in the standard: `base64`. */
  readonly encoding?: string
  /** Not in the standard; ours: the body was too large to keep, or might hide secrets. */
  readonly _omitted?: boolean
}

/** Body of a reply. */
export interface HarContent {
  readonly size?: number
  readonly mimeType?: string
  readonly text?: string
  readonly encoding?: string
  readonly _omitted?: boolean
}
