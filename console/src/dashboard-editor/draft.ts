import { useState } from 'react';
import type { Widget } from '../dashboards/index.ts';
import { isSame } from '../ui/index.ts';

const MAX_UNDO_STEPS = 50;

interface State {
  readonly widgets: readonly Widget[];
  readonly past: readonly (readonly Widget[])[];
  readonly saved: readonly Widget[];
  /** The subject of the last change. */
  readonly about: string | null;
}

/** The edited widgets with an undo history. */
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
    /** Consecutive changes of one subject, such as letters of a title, are one undo step. */
    change(next: readonly Widget[], about: string | null = null) {
      setState((before) => ({
        ...before,
        widgets: next,
        about,
        past:
          about !== null && about === before.about
            ? before.past
            : [...before.past, before.widgets].slice(-MAX_UNDO_STEPS),
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
    /** Takes over a merge with the stored version. */
    carryOver(next: readonly Widget[], stored: readonly Widget[]) {
      setState((before) => ({
        ...before,
        widgets: isSame(next, before.widgets) ? before.widgets : next,
        saved: stored,
        about: null,
      }));
    },
    /** Marks these widgets as saved; later changes are still unsaved. */
    markSaved(kept: readonly Widget[]) {
      setState((before) => ({ ...before, saved: kept, about: null }));
    },
  };
}
