import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Asset, useWrite } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { Confirm, tell } from '../ui/index.ts';
import { AssetForm } from './asset-form.tsx';

const words = strings.assets;

export function AssetActions({ asset }: { asset: Asset }) {
  const { may } = useSession();
  const navigate = useNavigate();
  const remove = useWrite('deleteAsset');
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      {may('UpdateAsset') ? (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => setAsking('edit')}
        >
          {strings.ui.edit}
        </Button>
      ) : null}
      {may('DeleteAsset') ? (
        <Tooltip label={strings.ui.remove}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={strings.ui.remove}
            onClick={() => setAsking('delete')}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : null}
      <AssetForm editing={asking === 'edit' ? asset : null} onClose={close} />
      <Confirm
        title={words.remove.title(asset.name)}
        action={strings.ui.remove}
        isOpen={asking === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await navigate({ to: '/assets' });
          await remove.mutateAsync({ assetId: asset.id });
          tell(words.remove.done);
        }}
      >
        {words.remove.text}
      </Confirm>
    </>
  );
}
