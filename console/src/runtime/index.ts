export { nowMs, useNow, useSteppedNow } from './clock.ts';
export { csvCell } from './csv.ts';
export { onStoredByOtherTab, readStored, writeStored } from './local-storage.ts';
export { localText, localTime } from './local-time.ts';
export { createLocaleFormats, type LocaleFormats, localeFormats } from './locale-formats.ts';
export { type PageKey, pageKeys, usePageKeys } from './page-keys.ts';
export { createSignal, type Signal } from './signal.ts';
export { withTabLock } from './tab-lock.ts';
