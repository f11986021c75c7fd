import { useQuery } from '@tanstack/react-query';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import fineUrl from 'world-atlas/countries-50m.json?url';
import coarseUrl from 'world-atlas/countries-110m.json?url';
import { pointOf } from './projection.ts';

type Ring = readonly (readonly number[])[];

function ringPath(ring: Ring): string {
  const points = ring.map(([longitude = 0, latitude = 0]) => {
    const { x, y } = pointOf(latitude, longitude);
    return `${x.toFixed(3)} ${y.toFixed(3)}`;
  });
  return `M${points.join('L')}Z`;
}

/** The outlines of countries as one path; loaded when a map is first shown. */
async function loadLand(url: string): Promise<string> {
  const reply = await fetch(url);
  const topology = (await reply.json()) as Topology<{ countries: GeometryCollection }>;
  const { features } = feature(topology, topology.objects.countries);
  return features
    .flatMap(({ geometry }) => {
      if (geometry.type === 'Polygon') return geometry.coordinates;
      return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
    })
    .map(ringPath)
    .join('');
}

/** From this width on, in degrees, the coarse outlines look like the fine ones. */
const COARSE_WIDTH = 150;

/** The outlines for a view of this width: coarse ones at once, fine ones as soon as they are loaded. */
export function useLand(width: number): string {
  const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };
  const coarse = useQuery({
    queryKey: ['land', 'coarse'],
    queryFn: () => loadLand(coarseUrl),
    ...forever,
  });
  const fine = useQuery({
    queryKey: ['land', 'fine'],
    queryFn: () => loadLand(fineUrl),
    enabled: width < COARSE_WIDTH && coarse.isSuccess,
    ...forever,
  });
  return (width < COARSE_WIDTH ? fine.data : undefined) ?? coarse.data ?? '';
}
