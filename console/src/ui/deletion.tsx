import type { OperationId } from '@fieldwatch/contract';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Input, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm } from './confirm.tsx';
import { notify } from './notify.tsx';

interface Deleted<Id extends OperationId> {
  readonly operation: Id;
  readonly input: Input<Id>;
  readonly name: string;
  /** The label of the action where it is not "Delete". */
  readonly action?: string | undefined;
  /** Whether the user must type the name, as before an irreversible deletion. */
  readonly isTyped?: boolean;
  /** The page to open after the deletion of the current page's record. */
  readonly leaveTo?: string;
  /** The effects of the action, by name. */
  readonly children: ReactNode;
}

interface QuestionProps<Id extends OperationId> extends Deleted<Id> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Deletes a record after confirmation. When the server refuses, the dialog shows why. */
export function DeleteQuestion<Id extends OperationId>(props: QuestionProps<Id>) {
  const { operation, input, name, action = strings.ui.remove, isTyped, leaveTo } = props;
  const navigate = useNavigate();
  const remove = useWrite(operation, leaveTo ? () => navigate({ to: leaveTo }) : undefined);
  return (
    <Confirm
      title={strings.ui.ask(action, name)}
      action={action}
      {...(isTyped ? { typed: name } : {})}
      isOpen={props.isOpen}
      onClose={props.onClose}
      onConfirm={async () => {
        await remove.mutateAsync(input);
        notify(strings.ui.deleted);
      }}
    >
      {props.children}
    </Confirm>
  );
}

/** The delete button of a record's page, with its confirmation. */
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
