export { startDensity, useDensity } from './density.ts';
export { colorSchemeManager, theme } from './theme.ts';
export {
  BANDS,
  type Density,
  SERIES,
  STATES,
  SURFACES,
  type Tone,
  TYPE,
} from './tokens.ts';
export { cssVariablesResolver } from './variables.ts';
