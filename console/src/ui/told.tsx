import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { failureText } from '../service/index.ts';
import { strings } from '../strings/index.ts';

/** Tells in a corner that something was done. */
export function tell(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000, closeButtonProps: CLOSE });
}

/** Tells that something was not done, and why. */
export function tellFailure(error: unknown): void {
  notifications.show({
    title: strings.ui.failedTitle,
    message: failureText(error),
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: CLOSE,
  });
}

/** Tells that something was done, and offers to take it back. */
export function tellUndoable(message: string, action: string, undo: () => void): void {
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

/** Runs what a button asks for, and tells how it went. */
export async function attempt(work: Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work;
    tell(done);
    return true;
  } catch (error) {
    tellFailure(error);
    return false;
  }
}
