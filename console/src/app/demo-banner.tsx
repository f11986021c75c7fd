import { IconFlask } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useSignInOptions } from '../session/index.ts';
import { strings } from '../strings/index.ts';

/** On every page, also before somebody is signed in and on a wall. */
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
