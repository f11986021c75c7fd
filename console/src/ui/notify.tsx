import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { failureText } from '../service/index.ts';
import { strings } from '../strings/index.ts';

/** Reports success in a corner of the screen. */
export function notify(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000, closeButtonProps: CLOSE });
}

/** Reports a failure with its reason. */
export function notifyFailure(error: unknown): void {
  notifyProblem(failureText(error));
}

/** Reports why something was not done. */
export function notifyProblem(message: string): void {
  notifications.show({
    title: strings.ui.failedTitle,
    message,
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: CLOSE,
  });
}

/** Reports success and offers to undo it. */
export function notifyUndoable(message: string, action: string, undo: () => void): void {
  const id = notifications.show({
    color: 'teal',
    autoClose: 8_000,
    closeButtonProps: CLOSE,
    message: (
      <>
        {message}{' '}
        <Anchor
          component="button"
          type="button"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {action}
        </Anchor>
      </>
    ),
  });
}

const CLOSE = { 'aria-label': strings.ui.close };

/** Awaits an action and reports its outcome; returns whether it succeeded. */
export async function attempt(work: Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work;
    notify(done);
    return true;
  } catch (error) {
    notifyFailure(error);
    return false;
  }
}
