import { useMemo } from 'react';
import { useActiveEvents } from '../../alarm-events/index.ts';
import { useLocations } from '../../references/index.ts';
import { strings } from '../../strings/index.ts';
import { Loading, PagePart } from '../../ui/index.ts';
import { useBoardView } from '../board-view.tsx';
import type { Settings } from '../widget.ts';
import { useAssets } from './list-widgets.tsx';

const words = strings.dashboards.widget;
const WHOLE_CONTINENT = 4;
const maps = () => import('../../maps/index.ts');

/** Assets on a map with their most severe active alarm; one marker per Location. */
export function MapWidget({ settings }: { settings: Settings }) {
  const { assets } = useAssets(settings.assetIds);
  const { hasLinks } = useBoardView();
  const { data: locations } = useLocations();
  const { events } = useActiveEvents();
  const markers = useMemo(() => {
    return (locations?.items ?? []).flatMap(({ id, name, latitude, longitude }) => {
      const here = assets.filter(({ locationId }) => locationId === id);
      const [first] = here;
      if (!first || latitude === null || longitude === null) return [];
      const ids = new Set(here.map((asset) => asset.id));
      // Events are sorted by severity.
      const worst = events?.find(({ assetIds }) => assetIds.some((asset) => ids.has(asset)));
      const isOne = here.length === 1;
      return [
        {
          id,
          label: isOne ? first.name : words.assetsAt(name, here.length),
          latitude,
          longitude,
          severity: worst?.severity ?? null,
          to: hasLinks ? (isOne ? `/assets/${first.id}` : `/locations/${id}`) : null,
        },
      ];
    });
  }, [assets, locations, events, hasLinks]);
  const { centre, zoom = WHOLE_CONTINENT } = settings;
  const { latitude, longitude } = centre ?? {};
  const initialView = useMemo(
    () =>
      latitude === undefined || longitude === undefined ? null : { latitude, longitude, zoom },
    [latitude, longitude, zoom],
  );
  return (
    <PagePart name="maps" load={maps} loading={<Loading rows={1} height={200} />}>
      {({ WorldMap }) => <WorldMap markers={markers} initialView={initialView} />}
    </PagePart>
  );
}
