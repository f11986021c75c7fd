import { useEffect } from 'react';
import { IconFlask } from '../icons/index.ts';
import { useSignInOptions } from '../session/index.ts';
import { strings } from '../strings/index.ts';

/** Shown on every page, also before sign-in and in full screen. */
export function DemoBanner() {
  const isDemo = useSignInOptions()?.isDemo === true;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-demo', isDemo);
  }, [isDemo]);
  if (!isDemo) return null;
  return (
    <aside className="demo" aria-label={strings.app.demo.label}>
      <IconFlask size={16} aria-hidden />
      {strings.app.demo.text}
    </aside>
  );
}
