import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Asset, useRead, useWrite } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog, Loaded, SearchField, tell, tellFailure } from '../ui/index.ts';

const words = strings.assets.bind;
const FEW = 50;

interface Given {
  readonly asset: Asset;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Chooses Variables of any Device, and binds them together. */
export function Binding({ asset, isOpen, onClose }: Given) {
  return (
    <Dialog title={words.title(asset.name)} isOpen={isOpen} onClose={onClose} size="lg">
      {isOpen ? <Choice asset={asset} onClose={onClose} /> : null}
    </Dialog>
  );
}

function Choice({ asset, onClose }: Omit<Given, 'isOpen'>) {
  const bind = useWrite('bindVariables');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = useRead(
    'listVariables',
    { query: { take: FEW, ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const submit = async () => {
    try {
      const body = { variableIds: [...chosen], action: 'CONNECT' as const };
      await bind.mutateAsync({ assetId: asset.id, body });
      tell(words.done(chosen.length));
      onClose();
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <Stack gap="sm">
      <SearchField label={words.search} value={search} onChange={setSearch} />
      <Loaded query={query}>
        {({ items }) => (
          <Checkbox.Group aria-label={words.search} value={[...chosen]} onChange={setChosen}>
            <Stack gap={6} mah="45dvh" style={{ overflowY: 'auto' }}>
              {items.length === 0 ? <Text size="sm">{strings.ui.noMatch}</Text> : null}
              {items.map(({ id, name, deviceId, topicPropertyPath }) => {
                const isBound = asset.variables.some((each) => each.id === id);
                return (
                  <Checkbox
                    key={id}
                    value={id}
                    disabled={isBound}
                    label={name}
                    description={
                      isBound ? words.bound : <Where deviceId={deviceId} path={topicPropertyPath} />
                    }
                  />
                );
              })}
            </Stack>
          </Checkbox.Group>
        )}
      </Loaded>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {strings.ui.cancel}
        </Button>
        <Button
          disabled={chosen.length === 0}
          loading={bind.isPending}
          onClick={() => void submit()}
        >
          {words.bindCount(chosen.length)}
        </Button>
      </Group>
    </Stack>
  );
}

function Where({ deviceId, path }: { deviceId: string; path: string }) {
  const { data } = useRead('retrieveDevice', { deviceId }, { staleMs: 60_000 });
  return (
    <>
      {data?.name ?? '…'} · {path}
    </>
  );
}
