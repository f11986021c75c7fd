import type { MaintenanceWindow } from '@fieldwatch/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { IconTool } from '../icons/index.ts';
import { useSession } from '../session/index.ts';
import { maintenance as words } from '../strings/index.ts';
import { ConfirmOperation, Dialog } from '../ui/index.ts';
import { EMPTY_SCOPE, type ScopeEntry, withEntry } from './scope.ts';
import { WindowForm } from './window-form.tsx';

interface ButtonProps {
  /** The record that the window is planned for. */
  readonly entry: ScopeEntry;
  readonly name: string;
}

/** Plans maintenance of the page's record. */
export function MaintenanceButton({ entry, name }: ButtonProps) {
  const { may } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  if (!may('ManageMaintenance')) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTool size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {words.title}
      </Button>
      <Dialog title={words.planFor(name)} isOpen={isOpen} onClose={close} size="lg">
        {isOpen ? (
          <WindowForm window={null} scope={withEntry(EMPTY_SCOPE, entry)} onClose={close} />
        ) : null}
      </Dialog>
    </>
  );
}

interface EndProps {
  readonly window: MaintenanceWindow;
  readonly size?: string;
}

/** Ends the period in progress, for those who may. */
export function EndButton({ window, size = 'sm' }: EndProps) {
  const { may } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  if (!may('ManageMaintenance') || window.state !== 'ACTIVE') return null;
  return (
    <>
      <Button variant="default" size={size} onClick={() => setIsAsking(true)}>
        {words.end}
      </Button>
      <EndDialog window={isAsking ? window : null} onClose={() => setIsAsking(false)} />
    </>
  );
}

interface DialogProps {
  /** The window to end; the dialog is closed while there is none. */
  readonly window: MaintenanceWindow | null;
  readonly onClose: () => void;
}

export function EndDialog({ window, onClose }: DialogProps) {
  if (window === null) return null;
  return (
    <ConfirmOperation
      operation="endMaintenanceWindow"
      input={{ maintenanceWindowId: window.id }}
      name={window.reason}
      action={words.end}
      title={`${words.end}: ${window.reason}`}
      done={words.ended}
      isOpen
      onClose={onClose}
    >
      {words.endText(window.heldCount)}
    </ConfirmOperation>
  );
}
