import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Location } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Loading, PagePart } from '../ui/index.ts';
import { useWorstByLocation } from './location-state.tsx';

const maps = () => import('../maps/index.ts');

interface Props {
  readonly locations: readonly Location[];
  readonly height: number | string;
}

/** Locations on a map, each with its most severe active alarm. */
export function LocationMap({ locations, height }: Props) {
  const worst = useWorstByLocation();
  const markers = useMemo(
    () =>
      locations.flatMap(({ id, name, latitude, longitude }) =>
        latitude === null || longitude === null
          ? []
          : [
              {
                id,
                label: name,
                latitude,
                longitude,
                severity: worst.get(id) ?? null,
                to: `/locations/${id}`,
              },
            ],
      ),
    [locations, worst],
  );
  if (markers.length === 0) return <Text size="sm">{strings.locations.noCoordinates}</Text>;
  return (
    <PagePart name="maps" load={maps} loading={<Loading rows={1} height={320} />}>
      {({ WorldMap }) => (
        <div style={{ height }}>
          <WorldMap markers={markers} />
        </div>
      )}
    </PagePart>
  );
}
