import { Button } from '@mantine/core';
import { useState } from 'react';
import { IconLink, IconLinkOff } from '../icons/index.ts';
import { type Asset, useCall, useWrite, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type BulkAction,
  type Column,
  Empty,
  notifyFailure,
  notifyUndoable,
  Panel,
  type RowAction,
  SortedTable,
} from '../ui/index.ts';
import { chartColumn, LiveReading, LiveReadingTime } from '../variables/index.ts';
import { Binding } from './binding.tsx';

const words = strings.assets;

interface Props {
  readonly asset: Asset;
  readonly charted: readonly string[];
  readonly onToggle: (variableId: string) => void;
}

/** The Variables of the Asset with their live values. */
export function BoundVariables({ asset, charted, onToggle }: Props) {
  const { may } = useSession();
  const [isBinding, setIsBinding] = useState(false);
  const columns: readonly Column<Variable>[] = [
    { ...chartColumn(charted, onToggle), sortKey: 'NAME', value: ({ name }) => name },
    { head: strings.devices.values.value, cell: (variable) => <LiveReading variable={variable} /> },
    {
      head: strings.devices.values.time,
      cell: ({ id }) => <LiveReadingTime variableId={id} />,
      isMinor: true,
    },
  ];
  const unbind = useUnbind(asset);
  const unbindMany = useBulkUnbind(asset);
  const actionsOf = (variable: Variable): readonly RowAction[] => [
    {
      label: words.bind.unbind,
      icon: <IconLinkOff size={16} />,
      act: () => void unbind(variable),
    },
  ];
  const bind = may('UpdateAsset') ? (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconLink size={14} aria-hidden />}
      onClick={() => setIsBinding(true)}
    >
      {words.bind.action}
    </Button>
  ) : null;
  return (
    <Panel title={words.variables} actions={bind}>
      {asset.variables.length === 0 ? (
        <Empty title={words.bind.none}>{words.bind.noneHint}</Empty>
      ) : (
        <SortedTable
          label={words.variables}
          columns={columns}
          records={asset.variables}
          hrefOf={({ id }) => `/variables/${id}`}
          actions={may('UpdateAsset') ? { nameOf: ({ name }) => name, of: actionsOf } : undefined}
          bulk={{
            scope: asset.id,
            nameOf: ({ name }) => name,
            many: words.variables,
            actions: may('UpdateAsset') ? [unbindMany] : [],
          }}
        />
      )}
      <Binding asset={asset} isOpen={isBinding} onClose={() => setIsBinding(false)} />
    </Panel>
  );
}

function useBulkUnbind({ id: assetId }: Asset): BulkAction<Variable> {
  const call = useCall();
  return {
    label: words.bind.unbind,
    icon: <IconLinkOff size={16} aria-hidden />,
    effect: words.bind.unbindText,
    run: ({ id: variableId }) =>
      call('bindVariable', { assetId, body: { variableId, action: 'DISCONNECT' } }),
  };
}

/** Unbinds without confirmation, since the notification offers to undo it. */
function useUnbind(asset: Asset): (variable: Variable) => Promise<void> {
  const bind = useWrite('bindVariable');
  return async ({ id: variableId, name }) => {
    const send = (action: 'CONNECT' | 'DISCONNECT') =>
      bind.mutateAsync({ assetId: asset.id, body: { variableId, action } });
    try {
      await send('DISCONNECT');
      const undo = () => void send('CONNECT').catch(notifyFailure);
      notifyUndoable(words.bind.unbound(name), words.bind.undo, undo);
    } catch (error) {
      notifyFailure(error);
    }
  };
}
