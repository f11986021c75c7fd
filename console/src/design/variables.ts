import type { CSSVariablesResolver } from '@mantine/core';
import {
  CRITICAL_FILL,
  DENSITY,
  MOTION,
  type Scheme,
  SPACING,
  STATES,
  SURFACES,
  TONES,
  type Tone,
  TYPE,
} from './tokens.ts';

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function colourVariables(scheme: Scheme): Record<string, string> {
  const surfaces = Object.entries(SURFACES[scheme]).map(([name, value]) => [
    `--fw-${kebab(name)}`,
    value,
  ]);
  const states = TONES.flatMap((tone) =>
    Object.entries(STATES[scheme][tone]).map(([part, value]) => [`--fw-${tone}-${part}`, value]),
  );
  return Object.fromEntries([...surfaces, ...states]);
}

function sizeVariables(prefix: string, sizes: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    Object.entries(sizes).map(([name, size]) => [`--fw-${prefix}-${kebab(name)}`, `${size}px`]),
  );
}

/** The sizes of both densities; `density.css` selects among them. */
const SIZES = {
  ...sizeVariables('comfortable', DENSITY.comfortable),
  ...sizeVariables('dense', DENSITY.dense),
  ...sizeVariables('touch', DENSITY.touch),
  ...sizeVariables('comfortable-type', TYPE.comfortable),
  ...sizeVariables('dense-type', TYPE.dense),
  ...sizeVariables('comfortable-space', SPACING.comfortable),
  ...sizeVariables('dense-space', SPACING.dense),
};

/** The variables of Mantine that are derived from ours. */
const DERIVED = {
  '--mantine-color-body': 'var(--fw-surface)',
  '--mantine-color-text': 'var(--fw-text)',
  '--mantine-color-bright': 'var(--fw-text)',
  '--mantine-color-dimmed': 'var(--fw-dimmed)',
  '--mantine-color-placeholder': 'var(--fw-dimmed)',
  '--mantine-color-anchor': 'var(--fw-link)',
  '--mantine-color-error': 'var(--fw-bad-text)',
  '--mantine-color-default': 'var(--fw-surface)',
  '--mantine-color-default-hover': 'var(--fw-hover)',
  '--mantine-color-default-color': 'var(--fw-text)',
  '--mantine-color-default-border': 'var(--fw-border)',
};

/** Mantine's hues that components name, each with our tone of the same meaning. */
const HUES = {
  red: 'bad',
  orange: 'high',
  yellow: 'medium',
  green: 'good',
  teal: 'good',
  blue: 'low',
  gray: 'plain',
} as const satisfies Readonly<Record<string, Tone>>;

/** Light buttons and alerts, and coloured text, of a hue. */
function lightVariables(hue: string, tint: string, text: string): Record<string, string> {
  return {
    [`--mantine-color-${hue}-light`]: tint,
    [`--mantine-color-${hue}-light-hover`]: `color-mix(in srgb, ${tint}, ${text} 8%)`,
    [`--mantine-color-${hue}-light-color`]: text,
    [`--mantine-color-${hue}-text`]: text,
  };
}

const HUE_VARIABLES = Object.assign(
  lightVariables('cyan', 'var(--fw-accent-tint)', 'var(--fw-link)'),
  ...Object.entries(HUES).map(([hue, tone]) =>
    lightVariables(hue, `var(--fw-${tone}-tint)`, `var(--fw-${tone}-text)`),
  ),
);

/** Every colour as a CSS variable: `--fw-surface`, `--fw-critical-solid` and so on. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    ...SIZES,
    '--fw-fast': MOTION.fast,
    '--fw-normal': MOTION.normal,
    '--fw-easing': MOTION.easing,
  },
  light: {
    ...colourVariables('light'),
    '--fw-critical-fill': CRITICAL_FILL.light,
    ...DERIVED,
    ...HUE_VARIABLES,
  },
  dark: {
    ...colourVariables('dark'),
    '--fw-critical-fill': CRITICAL_FILL.dark,
    ...DERIVED,
    ...HUE_VARIABLES,
  },
});
