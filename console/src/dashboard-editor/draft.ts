import { useState } from 'react';
import type { Widget } from '../dashboards/index.ts';

const MOST_STEPS = 50;

interface State {
  readonly widgets: readonly Widget[];
  readonly past: readonly (readonly Widget[])[];
  readonly saved: readonly Widget[];
}

/** The widgets as they are being edited, with a way back. */
export function useDraft(first: readonly Widget[]) {
  const [state, setState] = useState<State>({ widgets: first, past: [], saved: first });
  const { widgets, past, saved } = state;
  return {
    widgets,
    canUndo: past.length > 0,
    isChanged: widgets !== saved,
    change(next: readonly Widget[]) {
      setState((before) => ({
        ...before,
        widgets: next,
        past: [...before.past, before.widgets].slice(-MOST_STEPS),
      }));
    },
    undo() {
      setState((before) => ({
        ...before,
        widgets: before.past.at(-1) ?? before.widgets,
        past: before.past.slice(0, -1),
      }));
    },
    markSaved() {
      setState((before) => ({ ...before, saved: before.widgets }));
    },
  };
}
