import { createTheme, localStorageColorSchemeManager, Tooltip } from '@mantine/core';
import { localeFormats } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { FONT_FAMILY, NEUTRALS, RADIUS, TYPE } from './tokens.ts';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'fieldwatch.theme' });

const px = (size: number) => `${size}px`;

const radius = Object.fromEntries(Object.entries(RADIUS).map(([name, size]) => [name, px(size)]));

const heading = (size: number) => ({
  fontSize: px(size),
  lineHeight: '1.35',
  fontWeight: String(TYPE.weights.strong),
});

/** The list itself scrolls: a scrolled element inside it would have to take the focus. */
const LIST = {
  withScrollArea: false,
  styles: { options: { maxHeight: 300, overflowY: 'auto' } },
} as const;

/** Dense and calm: small spacing, one accent colour, other colours for states only. */
export const theme = createTheme({
  colors: { gray: NEUTRALS.gray, dark: NEUTRALS.dark },
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'sm',
  radius,
  cursorType: 'pointer',
  fontFamily: FONT_FAMILY,
  headings: {
    fontFamily: FONT_FAMILY,
    fontWeight: String(TYPE.weights.strong),
    sizes: {
      h1: heading(TYPE.headings.page),
      h2: heading(TYPE.headings.dialog),
      h3: heading(TYPE.headings.page),
      h4: heading(TYPE.headings.dialog),
      h5: heading(TYPE.headings.panel),
      h6: heading(TYPE.headings.group),
    },
  },
  respectReducedMotion: true,
  components: {
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true } }),
    Button: { defaultProps: { size: 'sm' } },
    Paper: { defaultProps: { radius: 'md' } },
    // A number outside its bounds is refused with a message; replacing it would change the input unseen.
    NumberInput: {
      defaultProps: { clampBehavior: 'none', decimalSeparator: localeFormats.decimalSeparator },
    },
    // A select without options says so; otherwise nothing would open.
    Select: { defaultProps: { nothingFoundMessage: strings.ui.noOptions, ...LIST } },
    MultiSelect: { defaultProps: { nothingFoundMessage: strings.ui.noOptions, ...LIST } },
    Modal: { defaultProps: { centered: true, radius: 'md', transitionProps: { duration: 120 } } },
    // The first item takes the focus: an element for it beside the items is none that a menu may have.
    Menu: { defaultProps: { radius: 'md', shadow: 'md', withInitialFocusPlaceholder: false } },
  },
});
