import type { OperationId } from '@fieldwatch/contract';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Given, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm } from './confirm.tsx';
import { tell } from './told.tsx';

interface Deleted<Id extends OperationId> {
  readonly operation: Id;
  readonly given: Given<Id>;
  readonly name: string;
  /** What deleting is called here, if something else: a key is revoked. */
  readonly action?: string | undefined;
  /** Whether the name must be typed, as before a loss that nothing brings back. */
  readonly isTyped?: boolean;
  /** Where to go from the page of what is gone. */
  readonly leaveTo?: string;
  /** What will be lost, by name. */
  readonly children: ReactNode;
}

interface QuestionProps<Id extends OperationId> extends Deleted<Id> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Deletes once that was confirmed. Refused, it says why and nothing else has happened. */
export function DeleteQuestion<Id extends OperationId>(asked: QuestionProps<Id>) {
  const { operation, given, name, action = strings.ui.remove, isTyped, leaveTo } = asked;
  const navigate = useNavigate();
  const remove = useWrite(operation, leaveTo ? () => navigate({ to: leaveTo }) : undefined);
  return (
    <Confirm
      title={strings.ui.ask(action, name)}
      action={action}
      {...(isTyped ? { typed: name } : {})}
      isOpen={asked.isOpen}
      onClose={asked.onClose}
      onConfirm={async () => {
        await remove.mutateAsync(given);
        tell(strings.ui.deleted);
      }}
    >
      {asked.children}
    </Confirm>
  );
}

/** The button among the actions of a page, with its question. */
export function DeleteAction<Id extends OperationId>(deleted: Deleted<Id>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Tooltip label={strings.ui.remove}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={strings.ui.remove}
          onClick={() => setIsAsking(true)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <DeleteQuestion {...deleted} isOpen={isAsking} onClose={() => setIsAsking(false)} />
    </>
  );
}
