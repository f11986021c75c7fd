/** The line of a threshold and the width of its label, in pixels of the canvas. */
export interface LabelledLine {
  readonly y: number;
  readonly width: number;
}

export interface LabelArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The height of a line of text. */
  readonly rowPx: number;
}

/** The left end and the baseline of a label. */
export interface LabelPlace {
  readonly x: number;
  readonly y: number;
}

const LINE_GAP = 0.3;
const LABEL_GAP = 1;

/**
 * A place for each label at its own line: above it, or below at the top of the chart. Where lines are
 * close together, labels stand side by side; where that needs more than the width, one below the other.
 */
export function placeLabels(
  lines: readonly LabelledLine[],
  { left, right, top, bottom, rowPx }: LabelArea,
): LabelPlace[] {
  const taken: (LabelPlace & { readonly end: number })[] = [];
  return lines.map(({ y: line, width }) => {
    const isAtTop = line - top < rowPx * (1 + LINE_GAP);
    let y = isAtTop ? line + rowPx * (1 + LINE_GAP) : line - rowPx * LINE_GAP;
    let x = left;
    const inTheWay = () =>
      taken.find((other) => Math.abs(other.y - y) < rowPx && x < other.end && other.x < x + width);
    for (let other = inTheWay(); other; other = inTheWay()) {
      x = other.end + rowPx * LABEL_GAP;
      if (x + width <= right) continue;
      x = left;
      y = other.y + rowPx;
      if (y > bottom) break;
    }
    taken.push({ x, y, end: x + width });
    return { x, y };
  });
}
