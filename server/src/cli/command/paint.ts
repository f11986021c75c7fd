type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Text in a style, or as it is where there are no colours. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function createPaint(isColoured: boolean): Paint {
  const style = (name: Style) => {
    const [on, off] = CODES[name];
    return (text: string) => (isColoured ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  };
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
  };
}

/** Colours are for terminals alone; a NO_COLOR that is not empty turns them off (no-color.org). */
export function isColoured(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
}
