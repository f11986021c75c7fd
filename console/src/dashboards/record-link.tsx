import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBoardView } from './board-view.tsx';

/** A link to the page of a record; only its name on a shared board. */
export function RecordLink({ to, children }: { to: string; children: ReactNode }) {
  const { hasLinks } = useBoardView();
  if (!hasLinks) return <>{children}</>;
  return (
    <Link to={to} className="linked">
      {children}
    </Link>
  );
}
