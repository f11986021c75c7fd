import type { UseFormReturnType } from '@mantine/form';
import { localText, localTime, nowMs } from '../runtime/index.ts';
import type { Reply } from '../service/index.ts';
import { timeZone } from '../ui/index.ts';

type Rota = Reply<'retrieveRota'>;
export type Layer = Rota['layers'][number];

export interface PersonOption {
  readonly value: string;
  readonly label: string;
}

export const newLayer = (): Layer => ({
  userIds: [],
  rotation: 'WEEKLY',
  every: 1,
  handoffTime: '08:00',
  handoffWeekday: 'MONDAY',
  startDate: new Date(nowMs()).toISOString().slice(0, 10),
  hours: [],
});

/** A rota as the fields of its form have it; times of overrides are local. */
export function valuesOf(rota: Rota | null) {
  const local = (at: string) => localText(Date.parse(at));
  return {
    name: rota?.name ?? '',
    timeZone: rota?.timeZone ?? timeZone,
    layers: rota ? [...rota.layers] : [newLayer()],
    overrides: (rota?.overrides ?? []).map(({ userId, fromDateTime, toDateTime }) => ({
      userId: userId as string | null,
      fromDateTime: local(fromDateTime),
      toDateTime: local(toDateTime),
    })),
    sendsHandoffMail: rota?.sendsHandoffMail ?? true,
    sendsWeeklySummary: rota?.sendsWeeklySummary ?? false,
  };
}

type Values = ReturnType<typeof valuesOf>;

export type RotaForm = UseFormReturnType<Values>;

export interface LayerProps {
  readonly form: RotaForm;
  readonly layer: Layer;
  readonly index: number;
}

/** The server refuses an empty time, at its field. */
function dateTime(text: string): string {
  const at = localTime(text);
  return at === null ? '' : new Date(at).toISOString();
}

/** The weekday belongs to weekly turns alone. */
export function bodyOf({ layers, overrides, ...fields }: Values) {
  return {
    ...fields,
    layers: layers.map((layer) => ({
      ...layer,
      handoffWeekday:
        layer.rotation === 'WEEKLY' ? (layer.handoffWeekday ?? ('MONDAY' as const)) : null,
    })),
    overrides: overrides.map(({ userId, fromDateTime, toDateTime }) => ({
      userId: userId ?? '',
      fromDateTime: dateTime(fromDateTime),
      toDateTime: dateTime(toDateTime),
    })),
  };
}
