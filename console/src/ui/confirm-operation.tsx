import type { OperationId } from '@fieldwatch/contract';
import { ActionIcon, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconTrash } from '../icons/index.ts';
import { type Input, type Reply, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm } from './confirm.tsx';
import { notify } from './notify.tsx';

interface OperationProps<Id extends OperationId> {
  readonly operation: Id;
  readonly input: Input<Id>;
  /** The name of the record, for the question. */
  readonly name: string;
  /** Whether the user must type the name, as before an irreversible deletion. */
  readonly isTyped?: boolean;
  /** The page to open when the current page's record is gone. */
  readonly leaveTo?: string;
  /** The effects of the operation, by name. */
  readonly children: ReactNode;
}

interface ConfirmProps<Id extends OperationId> extends OperationProps<Id> {
  readonly action: string;
  /** The notification after success; null where `onDone` shows the result. */
  readonly done: string | null;
  readonly title?: string;
  readonly onDone?: (reply: Reply<Id>) => void;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks, then calls one operation. When the server refuses, the dialog shows why. */
export function ConfirmOperation<Id extends OperationId>(props: ConfirmProps<Id>) {
  const { operation, input, name, action, done, isTyped, leaveTo, onDone } = props;
  const navigate = useNavigate();
  const write = useWrite(operation, leaveTo ? () => navigate({ to: leaveTo }) : undefined);
  return (
    <Confirm
      title={props.title ?? strings.ui.ask(action, name)}
      action={action}
      {...(isTyped ? { typed: name } : {})}
      isOpen={props.isOpen}
      onClose={props.onClose}
      onConfirm={async () => {
        const reply = await write.mutateAsync(input);
        onDone?.(reply);
        if (done !== null) notify(done);
      }}
    >
      {props.children}
    </Confirm>
  );
}

/** The delete button of a record's page, with its confirmation. */
export function DeleteAction<Id extends OperationId>(props: OperationProps<Id>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Tooltip label={strings.ui.remove}>
        <ActionIcon
          variant="default"
          c="red"
          size={36}
          aria-label={strings.ui.remove}
          onClick={() => setIsAsking(true)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ConfirmOperation
        {...props}
        action={strings.ui.remove}
        done={strings.ui.deleted}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
