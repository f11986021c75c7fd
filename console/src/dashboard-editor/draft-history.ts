const MAX_UNDO_STEPS = 50;

/** Content with its undo history. */
export interface DraftHistory<C> {
  readonly content: C;
  readonly past: readonly C[];
  readonly future: readonly C[];
  readonly saved: C;
  /** The subject of the last change. */
  readonly about: string | null;
}

/** Consecutive changes of one subject, such as letters of a title, are one undo step. */
export function changed<C>(state: DraftHistory<C>, next: C, about: string | null): DraftHistory<C> {
  const isContinued = about !== null && about === state.about;
  return {
    ...state,
    content: next,
    about,
    past: isContinued ? state.past : [...state.past, state.content].slice(-MAX_UNDO_STEPS),
    future: [],
  };
}

export function undone<C>(state: DraftHistory<C>): DraftHistory<C> {
  const last = state.past.at(-1);
  if (!last) return state;
  return {
    ...state,
    content: last,
    past: state.past.slice(0, -1),
    future: [state.content, ...state.future],
    about: null,
  };
}

export function redone<C>(state: DraftHistory<C>): DraftHistory<C> {
  const [next, ...future] = state.future;
  if (!next) return state;
  return { ...state, content: next, past: [...state.past, state.content], future, about: null };
}
