import { useState } from 'react';
import type { Widget } from '../dashboards/index.ts';
import type { Dashboard } from '../service/index.ts';
import { isSame } from '../ui/index.ts';
import { changed, type DraftHistory, redone, undone } from './draft-history.ts';

/** The settings of the board itself. */
export type BoardSettings = Pick<Dashboard['configuration'], 'template' | 'rangeSeconds'>;

/** What the editor changes. */
export interface Content {
  readonly widgets: readonly Widget[];
  readonly settings: BoardSettings;
}

/** The edited content with its undo history. */
export function useDraft(first: Content) {
  const [state, setState] = useState<DraftHistory<Content>>({
    content: first,
    past: [],
    future: [],
    saved: first,
    about: null,
  });
  const { content, past, future, saved } = state;
  return {
    ...content,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    isChanged: content !== saved && !isSame(content, saved),
    change(widgets: readonly Widget[], about: string | null = null) {
      setState((before) => changed(before, { ...before.content, widgets }, about));
    },
    changeSettings(settings: BoardSettings) {
      setState((before) => changed(before, { ...before.content, settings }, 'settings'));
    },
    undo: () => setState((before) => undone(before)),
    redo: () => setState((before) => redone(before)),
    /** Takes over a merge with the stored version. */
    carryOver(next: Content, stored: Content) {
      setState((before) => ({
        ...before,
        content: isSame(next, before.content) ? before.content : next,
        saved: stored,
        about: null,
      }));
    },
    /** Marks this content as saved; later changes are still unsaved. */
    markSaved(kept: Content) {
      setState((before) => ({ ...before, saved: kept, about: null }));
    },
  };
}
