import { useState } from 'react';
import type { Widget } from '../dashboards/index.ts';
import { isSame } from '../ui/index.ts';

const MOST_STEPS = 50;

interface State {
  readonly widgets: readonly Widget[];
  readonly past: readonly (readonly Widget[])[];
  readonly saved: readonly Widget[];
  /** What the last step was about. */
  readonly about: string | null;
}

/** The widgets as they are being edited, with a way back. */
export function useDraft(first: readonly Widget[]) {
  const [state, setState] = useState<State>({
    widgets: first,
    past: [],
    saved: first,
    about: null,
  });
  const { widgets, past, saved } = state;
  return {
    widgets,
    canUndo: past.length > 0,
    isChanged: widgets !== saved && !isSame(widgets, saved),
    /** Changes of the same thing in a row, as letters of a title, are one step back. */
    change(next: readonly Widget[], about: string | null = null) {
      setState((before) => ({
        ...before,
        widgets: next,
        about,
        past:
          about !== null && about === before.about
            ? before.past
            : [...before.past, before.widgets].slice(-MOST_STEPS),
      }));
    },
    undo() {
      setState((before) => ({
        ...before,
        widgets: before.past.at(-1) ?? before.widgets,
        past: before.past.slice(0, -1),
        about: null,
      }));
    },
    /** Brings in what others stored meanwhile. */
    carryOver(next: readonly Widget[], stored: readonly Widget[]) {
      setState((before) => ({
        ...before,
        widgets: isSame(next, before.widgets) ? before.widgets : next,
        saved: stored,
        about: null,
      }));
    },
    /** These were kept; what was changed meanwhile was not. */
    markSaved(kept: readonly Widget[]) {
      setState((before) => ({ ...before, saved: kept, about: null }));
    },
  };
}
