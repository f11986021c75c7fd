import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconLink, IconLinkOff } from '@tabler/icons-react';
import { useState } from 'react';
import { type Asset, useWrite, type Variable } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Empty,
  notifyFailure,
  notifyUndoable,
  Panel,
  RecordTable,
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
    chartColumn(charted, onToggle),
    { head: strings.devices.values.value, cell: (variable) => <LiveReading variable={variable} /> },
    {
      head: strings.devices.values.time,
      cell: ({ id }) => <LiveReadingTime variableId={id} />,
      isMinor: true,
    },
    ...(may('UpdateAsset') ? [unbindColumn(asset)] : []),
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
        <RecordTable label={words.variables} columns={columns} records={asset.variables} />
      )}
      <Binding asset={asset} isOpen={isBinding} onClose={() => setIsBinding(false)} />
    </Panel>
  );
}

function unbindColumn(asset: Asset): Column<Variable> {
  return {
    head: strings.ui.actions,
    isHeadHidden: true,
    width: 48,
    cell: (variable) => <Unbind asset={asset} variable={variable} />,
  };
}

/** Unbinds without confirmation, since the notification offers to undo it. */
function Unbind({ asset, variable }: { asset: Asset; variable: Variable }) {
  const bind = useWrite('bindVariable');
  const send = (action: 'CONNECT' | 'DISCONNECT') =>
    bind.mutateAsync({ assetId: asset.id, body: { variableId: variable.id, action } });
  const unbind = async () => {
    try {
      await send('DISCONNECT');
      const undo = () => void send('CONNECT').catch(notifyFailure);
      notifyUndoable(words.bind.unbound(variable.name), words.bind.undo, undo);
    } catch (error) {
      notifyFailure(error);
    }
  };
  const label = strings.ui.actionOn(words.bind.unbind, variable.name);
  return (
    <Tooltip label={words.bind.unbind}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => void unbind()}>
        <IconLinkOff size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
