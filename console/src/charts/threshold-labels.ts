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

/** In heights of a line of text. */
const LINE_GAP = 0.3;
const ROW = 1.25;
const LABEL_GAP = 1;
/** A longer label would cover too much of the lines of the chart. */
const MAX_WIDTH_PART = 0.5;

/**
 * A place for each label at its own line: above it, or below where that is not free; side by side with
 * the labels of lines that are close. A label covers no other label and no other line: without such a
 * place it is left out, which is null.
 */
export function placeLabels(
  lines: readonly LabelledLine[],
  { left, right, top, bottom, rowPx }: LabelArea,
): (LabelPlace | null)[] {
  const taken: (LabelPlace & { readonly end: number })[] = [];
  const isFreeOfLines = (y: number) =>
    y - rowPx >= top && y <= bottom && !lines.some((other) => other.y > y - rowPx && other.y < y);
  return lines.map(({ y: line, width }) => {
    if (width > (right - left) * MAX_WIDTH_PART) return null;
    for (const y of [line - rowPx * LINE_GAP, line + rowPx * (1 + LINE_GAP)]) {
      if (!isFreeOfLines(y)) continue;
      let x = left;
      const inTheWay = () =>
        taken.find(
          (other) => Math.abs(other.y - y) < rowPx * ROW && x < other.end && other.x < x + width,
        );
      for (let other = inTheWay(); other; other = inTheWay()) x = other.end + rowPx * LABEL_GAP;
      if (x + width > right) continue;
      taken.push({ x, y, end: x + width });
      return { x, y };
    }
    return null;
  });
}
