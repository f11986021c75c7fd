import type { RefObject } from 'react';
import { usePageKeys } from '../../runtime/index.ts';
import type { AlarmEvent } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import type { AlarmAction } from './row.tsx';

const words = strings.activeAlarms.keys;

interface Work {
  readonly list: RefObject<HTMLElement | null>;
  readonly events: readonly AlarmEvent[];
  readonly selected: readonly AlarmEvent[];
  readonly onSelect: (event: AlarmEvent) => void;
  readonly onAct: (action: AlarmAction, events: readonly AlarmEvent[]) => void;
  readonly onShowNew: () => void;
  readonly onClear: () => void;
}

/** The names of alarms in the list, in its order. */
function linksIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-alarm-event]') ?? [])];
}

/** The position of the row that has the focus; -1 when none has. */
function focusedIndex(links: readonly HTMLElement[]): number {
  const row = document.activeElement?.closest('li');
  return row ? links.findIndex((link) => row.contains(link)) : -1;
}

function moveFocus(list: HTMLElement | null, step: 1 | -1): boolean {
  const links = linksIn(list);
  const at = focusedIndex(links);
  const next = links[at === -1 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}

/** Works through the list by keyboard. Arrow keys scroll the page until an alarm has the focus. */
export function useAlarmKeys(work: Work): void {
  const { list, events, selected, onSelect, onAct } = work;
  const focused = () => {
    const links = linksIn(list.current);
    const id = links[focusedIndex(links)]?.dataset.alarmEvent;
    return events.find((event) => event.id === id);
  };
  const isInside = () => list.current?.contains(document.activeElement) ?? false;
  const act = (action: AlarmAction) => () => {
    const event = focused();
    const targets = selected.length > 0 ? selected : event ? [event] : [];
    if (targets.length > 0) onAct(action, targets);
    return targets.length > 0;
  };
  const select = () => {
    const event = focused();
    if (event) onSelect(event);
    return event !== undefined;
  };
  const showNew = () => {
    work.onShowNew();
    return true;
  };
  const clear = () => {
    work.onClear();
    return false;
  };
  usePageKeys([
    { keys: ['j'], meaning: words.next, act: () => moveFocus(list.current, 1) },
    { keys: ['k'], meaning: words.previous, act: () => moveFocus(list.current, -1) },
    {
      keys: ['ArrowDown'],
      meaning: words.next,
      act: () => isInside() && moveFocus(list.current, 1),
    },
    {
      keys: ['ArrowUp'],
      meaning: words.previous,
      act: () => isInside() && moveFocus(list.current, -1),
    },
    { keys: ['x'], meaning: words.select, act: select },
    { keys: ['a'], meaning: words.acknowledge, act: act('acknowledge') },
    { keys: ['s'], meaning: words.shelve, act: act('shelve') },
    { keys: ['i'], meaning: words.assign, act: act('assign') },
    { keys: ['n'], meaning: words.showNew, act: showNew },
    { keys: ['Escape'], meaning: words.clear, act: clear },
  ]);
}
