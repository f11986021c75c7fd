import { SEVERITIES } from '@fieldwatch/contract';
import Type from 'typebox';

/** An object without further properties, so that a misspelled input is refused and not ignored. */
export const closed = { additionalProperties: false } as const;

export function id(description: string) {
  return Type.String({ format: 'uuid', description });
}

export function words(description: string) {
  return Type.String({ minLength: 1, maxLength: 200, description });
}

/** Both ends of a range, with what an absent start means. */
export function range(defaultLength: string) {
  const time = 'ISO 8601 with the zone, such as 2026-11-15T08:30:00Z or 2026-11-15T09:30:00+01:00';
  return {
    startTime: Type.Optional(
      Type.String({ description: `${time}; ${defaultLength} before endTime when left out` }),
    ),
    endTime: Type.Optional(Type.String({ description: `${time}; now when left out` })),
  };
}

export const severities = Type.Optional(
  Type.Array(Type.Enum([...SEVERITIES]), {
    minItems: 1,
    maxItems: SEVERITIES.length,
    description: 'Only these severities; all when left out',
  }),
);

export const site = Type.Optional(
  words(
    'Part of the name of a Location, an Asset, a Device, a Variable or an Alarm, such as "cold store"; everything when left out',
  ),
);
