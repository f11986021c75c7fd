import { useState } from 'react';

export type Editing<T> =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit'; readonly record: T }
  | { readonly kind: 'delete'; readonly record: T }
  | null;

/** What somebody is about to do with a record of a list. */
export function useEditing<T>() {
  const [editing, setEditing] = useState<Editing<T>>(null);
  return {
    editing,
    create: () => setEditing({ kind: 'create' }),
    edit: (record: T) => setEditing({ kind: 'edit', record }),
    remove: (record: T) => setEditing({ kind: 'delete', record }),
    close: () => setEditing(null),
    /** The record that is to be deleted. */
    doomed: editing?.kind === 'delete' ? editing.record : null,
    /** True while a form is open. */
    isForm: editing?.kind === 'create' || editing?.kind === 'edit',
    /** The record that is edited; null for a new one. */
    edited: editing?.kind === 'edit' ? editing.record : null,
  };
}
