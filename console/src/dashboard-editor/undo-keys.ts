import { useEffect, useRef } from 'react';
import type { Draft } from './editor-parts.tsx';

/** Ctrl Z undoes, Ctrl Y and Ctrl Shift Z redo, except in a field, which has a history of its own. */
export function useUndoKeys({ undo, redo }: Pick<Draft, 'undo' | 'redo'>): void {
  const latest = useRef({ undo, redo });
  latest.current = { undo, redo };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const isField = target instanceof HTMLElement && target.matches('input, textarea');
      if (isField || !(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
      if (!isRedo && key !== 'z') return;
      event.preventDefault();
      if (isRedo) latest.current.redo();
      else latest.current.undo();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
