/**
 * The design system of the console, in one file: type, spacing, shape, colour, elevation, motion and
 * density. `variables.ts` makes CSS variables of it, `theme.ts` the Mantine theme; canvases read it
 * directly. No other file of the console has a colour of its own. docs/design.md shows it.
 */

/** Sizes in pixels. Text is never smaller than 12 px. */
export const TYPE = {
  comfortable: { xs: 12, sm: 14, md: 15, lg: 17, xl: 20 },
  dense: { xs: 12, sm: 13, md: 14, lg: 16, xl: 18 },
  /** Titles of pages, of dialogs, of panels and of groups in a panel. */
  headings: { page: 20, dialog: 16, panel: 14, group: 13 },
  weights: { regular: 400, medium: 500, strong: 600 },
} as const;

/**
 * The viewer's own font first; every system has one of the others. `system-ui` is last: on some
 * systems it is a wide font, with which tables do not fit.
 */
export const FONT_FAMILY =
  'Inter, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, system-ui, sans-serif';

export const SPACING = {
  comfortable: { xs: 8, sm: 12, md: 16, lg: 20, xl: 28 },
  dense: { xs: 6, sm: 10, md: 12, lg: 16, xl: 24 },
} as const;

/** Heights of controls, and the padding above and below a row of a table or list, in pixels. */
export const DENSITY = {
  comfortable: { control: 34, compactControl: 28, row: 8 },
  dense: { control: 30, compactControl: 26, row: 4 },
  /** A finger needs this much, in either density. */
  touch: { control: 42, compactControl: 36, row: 8 },
} as const;

export type Density = 'comfortable' | 'dense';

export const RADIUS = { xs: 3, sm: 5, md: 8, lg: 12, xl: 16 } as const;

/** A change of state is shown at once; only what moves across the screen takes time. */
export const MOTION = {
  fast: '90ms',
  normal: '160ms',
  easing: 'cubic-bezier(0.2, 0, 0, 1)',
} as const;

export type Scheme = 'light' | 'dark';

interface Surfaces {
  /** Behind panels. */
  readonly canvas: string;
  /** Panels, tables, fields, and the background of charts. */
  readonly surface: string;
  /** Menus, dialogs and tooltips. */
  readonly raised: string;
  /** Tracks, code and headers of tables. */
  readonly sunken: string;
  readonly hover: string;
  readonly border: string;
  readonly strongBorder: string;
  readonly text: string;
  readonly dimmed: string;
  readonly accent: string;
  /** Behind what is selected. */
  readonly accentTint: string;
  readonly link: string;
  /** Lines behind a chart, which must not compete with its data. */
  readonly grid: string;
  /** Land and water of maps. */
  readonly land: string;
  readonly water: string;
  readonly boundary: string;
  /** The bar of a demo. */
  readonly demo: string;
  readonly demoText: string;
  /** Small and large shadows. */
  readonly shadow: string;
  readonly deepShadow: string;
}

export const SURFACES: Readonly<Record<Scheme, Surfaces>> = {
  light: {
    canvas: '#f5f6f8',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#f0f2f5',
    hover: '#f3f5f7',
    border: '#e1e5ea',
    strongBorder: '#c5ccd5',
    text: '#16191d',
    dimmed: '#57606a',
    accent: '#0b7285',
    accentTint: '#e2f1f4',
    link: '#0b6278',
    grid: '#e9ecef',
    land: '#fbfbf8',
    water: '#dfeaf0',
    boundary: '#b4c0c8',
    demo: '#6741d9',
    demoText: '#ffffff',
    shadow: '0 1px 2px rgb(15 23 42 / 6%)',
    deepShadow: '0 8px 28px rgb(15 23 42 / 16%)',
  },
  dark: {
    canvas: '#0f1216',
    surface: '#15181d',
    raised: '#1b1f25',
    sunken: '#1d2228',
    hover: '#1e232a',
    border: '#282e36',
    strongBorder: '#404954',
    text: '#e4e7ea',
    dimmed: '#a3abb4',
    accent: '#22b8cf',
    accentTint: '#10303a',
    link: '#66d9e8',
    grid: '#262c33',
    land: '#262c33',
    water: '#12161a',
    boundary: '#454e58',
    demo: '#5f3dc4',
    demoText: '#ffffff',
    shadow: '0 1px 2px rgb(0 0 0 / 40%)',
    deepShadow: '0 10px 32px rgb(0 0 0 / 55%)',
  },
};

/** Neutral ramps from which Mantine derives what the surfaces above do not name. */
export const NEUTRALS = {
  gray: [
    '#f7f8fa',
    '#f0f2f5',
    '#e6e9ed',
    '#dde1e6',
    '#c5ccd5',
    '#a6afba',
    '#7f8995',
    '#57606a',
    '#3b434c',
    '#22272d',
  ],
  dark: [
    '#e4e7ea',
    '#c3c9d0',
    '#a3abb4',
    '#7d8792',
    '#404954',
    '#282e36',
    '#1b1f25',
    '#15181d',
    '#0f1216',
    '#0b0d10',
  ],
} as const;

/** A state in one theme. It is never shown by colour alone: a word or an icon is beside it. */
export interface StateColours {
  /** Dots, lines, arcs and bars: at least 3:1 against surface and canvas. */
  readonly solid: string;
  /** Text on `tint` and on the surface: at least 4.5:1. */
  readonly text: string;
  readonly tint: string;
  readonly edge: string;
}

export const TONES = [
  'critical',
  'high',
  'medium',
  'low',
  'info',
  'good',
  'bad',
  'plain',
  'acknowledged',
  'shelved',
  'utility',
  'generator',
] as const;

/**
 * A meaning that has a colour. `good` is online, clear or as it should be; `plain` is offline or
 * without a judgement; `bad` is active or refused, whatever its severity.
 */
export type Tone = (typeof TONES)[number];

const RED = { solid: '#c92a2a', text: '#a61e1e', tint: '#fff0f0', edge: '#e79a9a' };
const RED_DARK = { solid: '#ff6b6b', text: '#ffc4c4', tint: '#38171a', edge: '#96383d' };
const GREEN = { solid: '#2b8a3e', text: '#1d6330', tint: '#e9f8ed', edge: '#8fd09f' };
const GREEN_DARK = { solid: '#51cf66', text: '#a9ebb5', tint: '#112a18', edge: '#2f7a3f' };
const GREY = { solid: '#6b7480', text: '#454d57', tint: '#f0f2f5', edge: '#c5ccd5' };
const GREY_DARK = { solid: '#99a2ad', text: '#cfd5dc', tint: '#242a31', edge: '#4b545e' };

export const STATES: Readonly<Record<Scheme, Readonly<Record<Tone, StateColours>>>> = {
  light: {
    critical: RED,
    high: { solid: '#d9480f', text: '#8f3500', tint: '#fff3e8', edge: '#f0a672' },
    medium: { solid: '#a87900', text: '#684b00', tint: '#fff8dc', edge: '#dfb94a' },
    low: { solid: '#1c7ed6', text: '#135a9c', tint: '#e9f4ff', edge: '#8cc1f2' },
    info: GREY,
    good: GREEN,
    bad: RED,
    plain: GREY,
    acknowledged: { solid: '#0c8599', text: '#0a5968', tint: '#e6f6f9', edge: '#86c9d4' },
    shelved: { solid: '#7048b8', text: '#53348c', tint: '#f3effb', edge: '#c0ade3' },
    utility: GREEN,
    generator: { solid: '#9c36b5', text: '#7a2a8f', tint: '#faeffc', edge: '#dba8e6' },
  },
  dark: {
    critical: RED_DARK,
    high: { solid: '#ff922b', text: '#ffc896', tint: '#35210f', edge: '#8f531c' },
    medium: { solid: '#fcc419', text: '#ffe28a', tint: '#302708', edge: '#7d6413' },
    low: { solid: '#4dabf7', text: '#b3dbff', tint: '#10263a', edge: '#2a628f' },
    info: GREY_DARK,
    good: GREEN_DARK,
    bad: RED_DARK,
    plain: GREY_DARK,
    acknowledged: { solid: '#3bc9db', text: '#9de8f2', tint: '#0e2a30', edge: '#256f7b' },
    shelved: { solid: '#b197fc', text: '#d6c8ff', tint: '#241d38', edge: '#5d4b92' },
    utility: GREEN_DARK,
    generator: { solid: '#e599f7', text: '#f1c9fa', tint: '#2f1a35', edge: '#7d4489' },
  },
};

/** A critical badge is filled: it must be found in a long list without reading. */
export const CRITICAL_FILL: Readonly<Record<Scheme, string>> = {
  light: '#c92a2a',
  dark: '#d92f2f',
};

/**
 * Lines of charts, on either background. Any two of them differ for people with protanopia,
 * deuteranopia and tritanopia as well; the test computes it.
 */
export const SERIES = [
  '#1899ec',
  '#9e511e',
  '#2f9074',
  '#f344ab',
  '#978c0d',
  '#8d41bc',
  '#356e6e',
  '#8548fe',
] as const;

/** States of a Variable that is no number, as bands with white text. */
export const BANDS = {
  on: '#1e6b31',
  off: '#5c636a',
  others: ['#1864ab', '#a33f00', '#862e9c', '#a61e4d', '#0b6278', '#5c4033', '#4a2fa8'],
} as const;
