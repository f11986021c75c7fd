import { describe, expect, it } from 'vitest';
import { BANDS, CRITICAL_FILL, type Scheme, SERIES, STATES, SURFACES, TONES } from './tokens.ts';

type Rgb = readonly [number, number, number];

const SCHEMES: readonly Scheme[] = ['light', 'dark'];

function linear(hex: string): Rgb {
  const channel = (at: number) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(linear(one)), luminance(linear(other))].toSorted(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

type Matrix = readonly [Rgb, Rgb, Rgb];

/** Machado, Oliveira and Fernandes 2009, at full severity. */
const VISION: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const dot = (row: Rgb, [x, y, z]: Rgb) => row[0] * x + row[1] * y + row[2] * z;

function seen([red, green, blue]: Matrix, colour: Rgb): Rgb {
  const limited = (row: Rgb) => Math.min(1, Math.max(0, dot(row, colour)));
  return [limited(red), limited(green), limited(blue)];
}

/** The OKLab coordinates, in which distances are about as large as they look. */
function oklab(colour: Rgb): Rgb {
  const l = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], colour));
  const m = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], colour));
  const s = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], colour));
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], [l, m, s]),
    dot([1.9779984951, -2.428592205, 0.4505937099], [l, m, s]),
    dot([0.0259040371, 0.7827717662, -0.808675766], [l, m, s]),
  ];
}

function distance(one: string, other: string, matrix: Matrix): number {
  const [a, b] = [one, other].map((hex) => oklab(seen(matrix, linear(hex))));
  return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : 0;
}

const pairs = SERIES.flatMap((one, index) =>
  SERIES.slice(index + 1).map((other) => [one, other] as const),
);

describe.each(SCHEMES)('the colours of the %s theme', (scheme) => {
  const { canvas, surface, raised, sunken, text, dimmed, accent, accentTint, link } =
    SURFACES[scheme];

  it('give texts and links a contrast of 4.5 on every background', () => {
    for (const background of [canvas, surface, raised, sunken]) {
      for (const colour of [text, dimmed, link]) {
        expect(contrast(colour, background), `${colour} on ${background}`).toBeGreaterThan(4.5);
      }
    }
    expect(contrast(link, accentTint)).toBeGreaterThan(4.5);
    expect(contrast(accent, surface)).toBeGreaterThan(3);
  });

  it.each(TONES)('show the state %s with enough contrast as a mark and as text', (tone) => {
    const colours = STATES[scheme][tone];
    for (const background of [canvas, surface]) {
      expect(contrast(colours.solid, background)).toBeGreaterThan(3);
    }
    for (const background of [colours.tint, surface, canvas]) {
      expect(contrast(colours.text, background)).toBeGreaterThan(4.5);
    }
  });

  it('give the filled badge of a critical alarm readable white text', () => {
    expect(contrast('#ffffff', CRITICAL_FILL[scheme])).toBeGreaterThan(4.5);
  });

  it.each(SERIES)('draw the line %s with a contrast of 3 against the chart', (colour) => {
    expect(contrast(colour, surface)).toBeGreaterThan(3);
  });
});

describe('the colours of lines', () => {
  it.each(Object.entries(VISION))('differ from each other with %s', (_name, matrix) => {
    const least = Math.min(...pairs.map(([one, other]) => distance(one, other, matrix)));
    expect(least).toBeGreaterThan(0.09);
  });
});

it('bands of states have readable white text', () => {
  for (const colour of [BANDS.on, BANDS.off, ...BANDS.others]) {
    expect(contrast('#ffffff', colour), colour).toBeGreaterThan(4.5);
  }
});
