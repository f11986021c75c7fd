import { IconMapPin } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { type Asset, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, moveAction, useBulkActions } from '../ui/index.ts';

const words = strings.assets;

/** The actions on selected Assets, by the user's permissions. */
export function useAssetBulkActions(): readonly BulkAction<Asset>[] {
  const { may } = useSession();
  const { deletion } = useBulkActions();
  const move = useMove();
  const remove = deletion({
    operation: 'deleteAsset',
    inputOf: ({ id }: Asset) => ({ assetId: id }),
    effect: words.removeText,
  });
  return [...(may('UpdateAsset') ? [move] : []), ...(may('DeleteAsset') ? [remove] : [])];
}

function useMove(): BulkAction<Asset> {
  const call = useCall();
  const locations = useLocations().data?.items ?? [];
  return moveAction({
    label: strings.devices.bulk.move,
    icon: <IconMapPin size={16} aria-hidden />,
    titleOf: words.moveTitle,
    field: strings.ui.location,
    none: strings.devices.bulk.noLocation,
    destinations: locations,
    moveTo: (locationId) => (asset) =>
      call('updateAsset', { assetId: asset.id, body: { locationId } }),
  });
}
