import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFoundVariables, variableDetail, variableLabel } from '../references/index.ts';
import { type Asset, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { cutText, Dialog, Loaded, notify, notifyFailure, SearchField } from '../ui/index.ts';

const words = strings.assets.bind;

interface Props {
  readonly asset: Asset;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Selects Variables of any Device and binds them to the Asset. */
export function Binding({ asset, isOpen, onClose }: Props) {
  return (
    <Dialog title={words.title(asset.name)} isOpen={isOpen} onClose={onClose} size="lg">
      {isOpen ? <Choice asset={asset} onClose={onClose} /> : null}
    </Dialog>
  );
}

function Choice({ asset, onClose }: Omit<Props, 'isOpen'>) {
  const bind = useWrite('bindVariables');
  const [search, setSearch] = useState('');
  const [selected, setSelected] = useState<readonly string[]>([]);
  const query = useFoundVariables(search);
  const submit = async () => {
    try {
      const body = { variableIds: [...selected], action: 'CONNECT' as const };
      await bind.mutateAsync({ assetId: asset.id, body });
      notify(words.done(selected.length));
      onClose();
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Stack gap="sm">
      <Group>
        <SearchField label={words.search} value={search} onChange={setSearch} />
      </Group>
      <Loaded query={query}>
        {({ items, count }) => (
          <Checkbox.Group aria-label={words.search} value={[...selected]} onChange={setSelected}>
            <Stack gap={6} mah="45dvh" style={{ overflowY: 'auto' }}>
              {items.length === 0 ? <Text size="sm">{strings.ui.noMatch}</Text> : null}
              {items.map((found) => {
                const isBound = asset.variables.some(({ id }) => id === found.id);
                return (
                  <Checkbox
                    key={found.id}
                    value={found.id}
                    disabled={isBound}
                    label={variableLabel(found.deviceName, found.name)}
                    description={isBound ? words.bound : variableDetail(found)}
                  />
                );
              })}
              {count > items.length ? (
                <Text size="xs" c="dimmed">
                  {cutText(items.length, count)}
                </Text>
              ) : null}
            </Stack>
          </Checkbox.Group>
        )}
      </Loaded>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {strings.ui.cancel}
        </Button>
        <Button
          disabled={selected.length === 0}
          loading={bind.isPending}
          onClick={() => void submit()}
        >
          {words.bindCount(selected.length)}
        </Button>
      </Group>
    </Stack>
  );
}
