import { createSignal } from '../runtime/index.ts';

/** The time that is pointed at. */
export interface Crosshair {
  readonly ms: number;
  /** The chart or strip that is pointed at; the others show the same time. */
  readonly owner: object;
  readonly isByKeyboard: boolean;
}

/** One for the page: all of its charts and strips show the same time. */
export const crosshair = createSignal<Crosshair | null>(null);

/** Removes the crosshair if it belongs to this owner. */
export function leaveCrosshair(owner: object): void {
  if (crosshair.read()?.owner === owner) crosshair.set(null);
}
