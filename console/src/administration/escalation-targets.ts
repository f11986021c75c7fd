import type { EscalationTarget } from '@fieldwatch/contract';
import { useRead } from '../service/index.ts';
import { policies as words } from '../strings/index.ts';
import { useWebhooks } from './alarm-group-form.tsx';

const MAX_OPTIONS = 1_000;

export interface TargetOption {
  readonly value: string;
  readonly label: string;
}

/** A target as one text, which a list of options needs. */
export function targetText(target: EscalationTarget): string {
  switch (target.kind) {
    case 'USER':
      return `USER ${target.userId}`;
    case 'ROTA':
      return `ROTA ${target.rotaId}`;
    case 'ALARM_GROUP':
      return `ALARM_GROUP ${target.alarmGroupId}`;
    case 'WEBHOOK':
      return `WEBHOOK ${target.webhookId}`;
  }
}

export function targetOf(text: string): EscalationTarget {
  const [kind, id = ''] = text.split(' ');
  if (kind === 'ROTA') return { kind, rotaId: id };
  if (kind === 'ALARM_GROUP') return { kind, alarmGroupId: id };
  return kind === 'WEBHOOK' ? { kind, webhookId: id } : { kind: 'USER', userId: id };
}

/** Everybody and everything that a step can page, by kind. */
export function useTargets(): readonly { group: string; items: TargetOption[] }[] {
  const query = { take: MAX_OPTIONS };
  const users = useRead('listAlarmAssignees', { query }).data?.items ?? [];
  const rotas = useRead('listRotas', { query }).data?.items ?? [];
  const groups = useRead('listAlarmGroups', { query }).data?.items ?? [];
  const named = (kind: 'ROTA' | 'ALARM_GROUP' | 'WEBHOOK', id: string, label: string) => ({
    value: `${kind} ${id}`,
    label,
  });
  return [
    {
      group: words.kinds.USER,
      items: users.map(({ userId, name, email }) => ({
        value: `USER ${userId}`,
        label: name ?? email,
      })),
    },
    { group: words.kinds.ROTA, items: rotas.map(({ id, name }) => named('ROTA', id, name)) },
    {
      group: words.kinds.ALARM_GROUP,
      items: groups.map(({ id, name }) => named('ALARM_GROUP', id, name)),
    },
    {
      group: words.kinds.WEBHOOK,
      items: useWebhooks().map(({ id, name }) => named('WEBHOOK', id, name)),
    },
  ];
}

export function useTargetNames(): (target: EscalationTarget) => string {
  const labels = new Map(
    useTargets().flatMap(({ items }) => items.map(({ value, label }) => [value, label] as const)),
  );
  return (target) => labels.get(targetText(target)) ?? words.unknown;
}
