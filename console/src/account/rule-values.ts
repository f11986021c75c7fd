import type { NotificationRules, QuietHours, Severity, Weekday } from '@fieldwatch/contract';
import type { UseFormReturnType } from '@mantine/form';

/** Quiet hours with the same times on several days. */
interface QuietPeriod {
  readonly weekdays: Weekday[];
  readonly from: string;
  readonly to: string;
}

/** Notification rules as the fields of their form have them. */
export interface RuleValues extends Record<string, unknown> {
  readonly bands: {
    readonly severities: Severity[];
    readonly steps: {
      readonly contactMethodId: string | null;
      readonly minutes: number | string;
    }[];
  }[];
  readonly isQuiet: boolean;
  readonly quietHours: {
    readonly timeZone: string;
    readonly upToSeverity: QuietHours['upToSeverity'];
    readonly periods: QuietPeriod[];
  };
}

export type RulesForm = UseFormReturnType<RuleValues>;

export const NIGHT: QuietPeriod = {
  weekdays: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
  from: '22:00',
  to: '07:00',
};

export function valuesOf({ bands, quietHours }: NotificationRules, timeZone: string): RuleValues {
  return {
    bands: bands.map(({ severities, steps }) => ({
      severities,
      steps: steps.map(({ contactMethodId, afterSeconds }) => ({
        contactMethodId,
        minutes: afterSeconds / 60,
      })),
    })),
    isQuiet: quietHours !== null,
    quietHours: {
      timeZone: quietHours?.timeZone ?? timeZone,
      upToSeverity: quietHours?.upToSeverity ?? 'HIGH',
      periods: quietHours ? periodsOf(quietHours.hours) : [NIGHT],
    },
  };
}

/** A time field has no 24:00; its 00:00 is that of the next day. */
function periodsOf(hours: QuietHours['hours']): QuietPeriod[] {
  const periods = new Map<string, QuietPeriod>();
  for (const { weekday, from, to: end } of hours) {
    const to = end === '24:00' ? '00:00' : end;
    const known = periods.get(`${from} ${to}`);
    if (known) known.weekdays.push(weekday);
    else periods.set(`${from} ${to}`, { weekdays: [weekday], from, to });
  }
  return [...periods.values()];
}

type Body = Pick<NotificationRules, 'bands' | 'quietHours'>;

/** The rules as the API has them. The server refuses what is missing, at its field. */
export function bodyOf({ bands, isQuiet, quietHours }: RuleValues): Body {
  const { timeZone, upToSeverity, periods } = quietHours;
  const hours = periods.flatMap(({ weekdays, from, to }) =>
    weekdays.map((weekday) => ({ weekday, from, to: from === to ? '24:00' : to })),
  );
  return {
    bands: bands.map(({ severities, steps }) => ({
      severities,
      steps: steps.map(({ contactMethodId, minutes }) => ({
        contactMethodId: contactMethodId ?? '',
        afterSeconds: Math.round(Number(minutes) * 60),
      })),
    })),
    quietHours: isQuiet ? { timeZone, upToSeverity, hours } : null,
  };
}
