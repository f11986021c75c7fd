import { useSyncExternalStore } from 'react';
import { createSignal, onStoredByOtherTab, readStored, writeStored } from '../runtime/index.ts';
import type { Density } from './tokens.ts';

const STORED_NAME = 'density';

const parse = (stored: string | null): Density => (stored === 'dense' ? 'dense' : 'comfortable');

const density = createSignal<Density>(parse(readStored(STORED_NAME)));

function show(): void {
  document.documentElement.setAttribute('data-density', density.read());
}

/** Shows the viewer's density, also when another tab changes it. Called once, before the first paint. */
export function startDensity(): void {
  show();
  density.subscribe(show);
  onStoredByOtherTab(STORED_NAME, (stored) => density.set(parse(stored)));
}

/** How much room tables, lists and forms take: a setting of the viewer, kept in this browser. */
export function useDensity(): readonly [Density, (next: Density) => void] {
  const current = useSyncExternalStore(density.subscribe, density.read);
  return [
    current,
    (next) => {
      writeStored(STORED_NAME, next === 'comfortable' ? null : next);
      density.set(next);
    },
  ];
}
