import { useState } from 'react';
import type { Asset } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { DeleteAction, EditButton } from '../ui/index.ts';
import { AssetForm } from './asset-form.tsx';

export function AssetActions({ asset }: { asset: Asset }) {
  const { may } = useSession();
  const [isEditing, setIsEditing] = useState(false);
  return (
    <>
      {may('UpdateAsset') ? <EditButton onClick={() => setIsEditing(true)} /> : null}
      {may('DeleteAsset') ? (
        <DeleteAction
          operation="deleteAsset"
          input={{ assetId: asset.id }}
          name={asset.name}
          leaveTo="/assets"
        >
          {strings.assets.removeText}
        </DeleteAction>
      ) : null}
      <AssetForm editing={isEditing ? asset : null} onClose={() => setIsEditing(false)} />
    </>
  );
}
