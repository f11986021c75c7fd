import { IconMapPin } from '../icons/index.ts';
import { useLocations } from '../references/index.ts';
import { type Location, useCall } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkAction, SelectForBulk, useBulkActions } from '../ui/index.ts';

const words = strings.locations;

/** The actions on selected Locations, for those who may manage them. */
export function useLocationBulkActions(): readonly BulkAction<Location>[] {
  const { may } = useSession();
  const call = useCall();
  const { deletion } = useBulkActions();
  const locations = useLocations().data?.items ?? [];
  if (!may('ManageLocations')) return [];
  return [
    {
      label: words.move,
      icon: <IconMapPin size={16} aria-hidden />,
      dialog: (props) => (
        <SelectForBulk
          {...props}
          title={words.moveTitle(props.records.length)}
          action={strings.ui.move}
          label={words.form.parent}
          none={words.form.top}
          options={locations.filter(({ id }) => props.records.every((record) => record.id !== id))}
          runWith={(parentId) =>
            ({ id }) =>
              call('updateLocation', { locationId: id, body: { parentId } })
            }
        />
      ),
    },
    deletion({
      operation: 'deleteLocation',
      inputOf: ({ id }: Location) => ({ locationId: id }),
      effect: words.remove.effect,
    }),
  ];
}
