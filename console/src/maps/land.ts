import { useQuery } from '@tanstack/react-query';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlasUrl from 'world-atlas/countries-110m.json?url';
import { pointOf } from './projection.ts';

type Ring = readonly (readonly number[])[];

function ringPath(ring: Ring): string {
  const points = ring.map(([longitude = 0, latitude = 0]) => {
    const { x, y } = pointOf(latitude, longitude);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  });
  return `M${points.join('L')}Z`;
}

/** The outlines of countries as one path; loaded when a map is first shown. */
async function loadLand(): Promise<string> {
  const reply = await fetch(atlasUrl);
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

export function useLand(): string {
  const { data = '' } = useQuery({
    queryKey: ['land'],
    queryFn: loadLand,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
