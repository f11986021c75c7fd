/** A view: the filters and the order of a page under a name. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
  /** Opened with the page, where its address has no filters. */
  readonly isDefault: boolean;
}

export const MAX_VIEWS = 50;
export const MAX_VIEW_NAME_LENGTH = 60;

/** The part of an address that a view keeps: the number of the page is not. */
export function searchOfView(search: SavedView['search']): SavedView['search'] {
  const { page: _, ...kept } = search;
  return kept;
}

/** A text that is equal for equal filters, whatever their order. */
export function searchText(search: SavedView['search']): string {
  const entries = Object.entries(searchOfView(search)).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const isRecord = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Views from storage; what is not a view is left out. */
export function parseViews(stored: string | null): readonly SavedView[] {
  let raw: unknown;
  try {
    raw = JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
  return (Array.isArray(raw) ? raw : []).flatMap((each): SavedView[] => {
    if (!isRecord(each) || typeof each.name !== 'string' || !isRecord(each.search)) return [];
    return [{ name: each.name, search: each.search, isDefault: each.isDefault === true }];
  });
}

/** Adds a view, or replaces the one of this name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const others = views.filter(({ name }) => name !== view.name);
  return [...others, view].toSorted((one, other) => one.name.localeCompare(other.name));
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((view) => view.name !== name);
}

export function renamedView(
  views: readonly SavedView[],
  name: string,
  next: string,
): readonly SavedView[] {
  const view = views.find((each) => each.name === name);
  return view ? withView(withoutView(views, name), { ...view, name: next }) : views;
}

/** At most one view is the default; null leaves none. */
export function withDefault(
  views: readonly SavedView[],
  name: string | null,
): readonly SavedView[] {
  return views.map((view) => ({ ...view, isDefault: view.name === name }));
}
