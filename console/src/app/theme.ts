import { createTheme, localStorageColorSchemeManager, Tooltip } from '@mantine/core';
import { strings } from '../strings/index.ts';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'fieldwatch.theme' });

/** Dense and calm: small spacing, one accent colour, other colours for states only. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  components: {
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true } }),
    Button: { defaultProps: { size: 'sm' } },
    // A number outside its bounds is refused with a message; replacing it would change the input unseen.
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
    // A select without options says so; otherwise nothing would open.
    Select: { defaultProps: { nothingFoundMessage: strings.ui.noOptions } },
    MultiSelect: { defaultProps: { nothingFoundMessage: strings.ui.noOptions } },
    Modal: { defaultProps: { centered: true } },
  },
});
