import { useBlocker } from '@tanstack/react-router';
import { strings } from '../strings/index.ts';
import { Confirm } from './confirm.tsx';

/**
 * Asks before unsaved changes are lost, also when the tab is closed. What a page keeps in its address
 * may change without a question, as the page and its input stay.
 */
export function UnsavedChanges({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    <Confirm
      title={strings.ui.leave}
      action={strings.ui.leave}
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={async () => blocker.proceed?.()}
    >
      {strings.ui.unsaved}
    </Confirm>
  );
}
