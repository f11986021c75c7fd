import { IconMapPin } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { type Location, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, moveAction, useBulkActions } from '../ui/index.ts';

const words = strings.locations;

/** The actions on selected Locations, for those who may manage them. */
export function useLocationBulkActions(): readonly BulkAction<Location>[] {
  const { may } = useSession();
  const call = useCall();
  const { deletion } = useBulkActions();
  const locations = useLocations().data?.items ?? [];
  if (!may('ManageLocations')) return [];
  return [
    moveAction({
      label: words.move,
      icon: <IconMapPin size={16} aria-hidden />,
      titleOf: words.moveTitle,
      field: words.form.parent,
      none: words.form.top,
      destinations: locations,
      moveTo: (parentId) => (location) =>
        call('updateLocation', { locationId: location.id, body: { parentId } }),
    }),
    deletion({
      operation: 'deleteLocation',
      inputOf: ({ id }: Location) => ({ locationId: id }),
      effect: words.remove.effect,
    }),
  ];
}
