// Horizontal bars as SVG, because charting libraries need a DOM, or are large.

interface Bar {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly isStrong: boolean
}

interface Panel {
  readonly title: string
  readonly bars: readonly Bar[]
  readonly most: number
  /** A line through all bars. */
  readonly mark?: { readonly value: number; readonly label: string }
}

interface Chart {
  readonly title: string
  readonly subtitle: string
  readonly panels: readonly Panel[]
}

const WIDTH = 760
const MARGIN = 16
const LABELS_END = 170
const BARS_START = 178
/** Leaves room for the text at the end of the longest bar. */
const BARS_WIDTH = 390
const LINE = 22
const BAR = 14
/** The baseline of the first panel's title. */
const PANELS_START = 78

const STYLE = `
    text { font: 12px system-ui, sans-serif; fill: #1f2328 }
    .heading { font-size: 15px; font-weight: 600 }
    .title { font-weight: 600 }
    .label { text-anchor: end }
    .back { fill: #ffffff }
    .end { paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
    .strong { fill: #0969da }
    .weak { fill: #8c959f }
    .mark { stroke: #cf222e; stroke-dasharray: 3 3 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .back { fill: #0d1117 }
      .end { stroke: #0d1117 }
      .strong { fill: #4493f8 }
      .weak { fill: #6e7681 }
      .mark { stroke: #f85149 }
    }
  `

/** Returns an SVG file. */
export function barChart({ title, subtitle, panels }: Chart): string {
  const elements = [
    text(title, MARGIN, 28, 'heading'),
    text(subtitle, MARGIN, 48),
    ...panels.flatMap((panel, index) => drawPanel(panel, PANELS_START + linesOf(panels.slice(0, index)) * LINE))
  ]
  // Without the separator after the last panel.
  const height = PANELS_START + (linesOf(panels) - 1) * LINE
  const size = `width="${WIDTH}" height="${height}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${STYLE}</style>`,
    `  <rect class="back" ${size} rx="6"/>`,
    ...elements.map((element) => `  ${element}`),
    '</svg>\n'
  ].join('\n')
}

/** One line for the title of each panel, and one between panels. */
const linesOf = (panels: readonly Panel[]) => panels.reduce((sum, { bars }) => sum + bars.length + 2, 0)

/** @param top the baseline of its title */
function drawPanel({ title, bars, most, mark }: Panel, top: number): string[] {
  const widthOf = (value: number) => Math.round((value / most) * BARS_WIDTH * 10) / 10
  const baselineOf = (index: number) => top + (index + 1) * LINE
  return [
    text(title, MARGIN, top, 'title'),
    ...bars.map(({ value, isStrong }, index) => {
      const place = `x="${BARS_START}" y="${baselineOf(index) - 11}" width="${widthOf(value)}" height="${BAR}"`
      return `<rect class="${isStrong ? 'strong' : 'weak'}" ${place} rx="2"/>`
    }),
    ...(mark === undefined ? [] : drawMark(mark.label, BARS_START + widthOf(mark.value), top, bars.length)),
    // Texts come last, above the lines.
    ...bars.flatMap(({ label, value, text: end }, index) => [
      text(label, LABELS_END, baselineOf(index), 'label'),
      text(end, BARS_START + widthOf(value) + 8, baselineOf(index), 'end')
    ])
  ]
}

function drawMark(label: string, x: number, top: number, lines: number): string[] {
  return [
    `<line class="mark" x1="${x}" y1="${top + 4}" x2="${x}" y2="${top + lines * LINE + 6}"/>`,
    text(label, x + 4, top)
  ]
}

function text(content: string, x: number, y: number, kind?: string): string {
  return `<text${kind === undefined ? '' : ` class="${kind}"`} x="${x}" y="${y}">${escaped(content)}</text>`
}

const escaped = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
