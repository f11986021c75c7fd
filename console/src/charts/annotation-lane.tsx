import { HoverCard, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import {
  IconBellRinging,
  IconCheck,
  IconMessage,
  IconPencil,
  IconPlugConnectedX,
} from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime } from '../ui/index.ts';
import classes from './annotation-lane.module.css';
import { type Annotation, type AnnotationKind, type Cluster, clusters } from './annotations.ts';
import type { Range } from './range.ts';

interface Props {
  readonly annotations: readonly Annotation[];
  readonly range: Range;
  /** The room beside the time axis of the chart above. */
  readonly insets: { readonly leftPx: number; readonly rightPx: number };
}

const words = strings.charts.annotations;

const ICONS: Readonly<Record<AnnotationKind, typeof IconCheck>> = {
  alarm: IconBellRinging,
  note: IconMessage,
  acknowledgement: IconCheck,
  change: IconPencil,
  offline: IconPlugConnectedX,
};
const MARK_PX = 26;
const MAX_LISTED = 10;

/** What happened at which time, as marks below the time axis. Marks that would overlap are one. */
export function AnnotationLane({ annotations, range, insets }: Props) {
  const { ref, width } = useElementSize();
  const { leftPx, rightPx } = insets;
  const groups = width > 0 ? clusters(annotations, range, MARK_PX / width) : [];
  return (
    <div ref={ref} className={classes.lane} style={{ marginLeft: leftPx, marginRight: rightPx }}>
      {groups.map((cluster) => (
        <Mark key={cluster.items[0]?.ms} cluster={cluster} />
      ))}
    </div>
  );
}

function Mark({ cluster: { at, items } }: { readonly cluster: Cluster }) {
  const [first] = items;
  if (!first) return null;
  const kinds = new Set(items.map(({ kind }) => kind));
  const Icon = kinds.size === 1 ? ICONS[first.kind] : null;
  const label = items.length === 1 ? first.text : words.several(items.length);
  return (
    <HoverCard openDelay={80} closeDelay={120} position="top" withinPortal shadow="md">
      <HoverCard.Target>
        <button
          type="button"
          className={classes.mark}
          data-kind={kinds.size === 1 ? first.kind : undefined}
          style={{ left: `${at * 100}%` }}
          aria-label={`${label}, ${exactTime(first.ms)}`}
        >
          {Icon ? <Icon size={12} aria-hidden /> : null}
          {items.length > 1 ? items.length : null}
        </button>
      </HoverCard.Target>
      <HoverCard.Dropdown p="xs" maw={380}>
        <ul className={classes.list}>
          {items.slice(0, MAX_LISTED).map((item) => (
            <Item key={`${item.ms} ${item.text}`} item={item} />
          ))}
        </ul>
        {items.length > MAX_LISTED ? (
          <Text size="xs" c="dimmed">
            {words.more(items.length - MAX_LISTED)}
          </Text>
        ) : null}
      </HoverCard.Dropdown>
    </HoverCard>
  );
}

function Item({ item: { ms, kind, text, path } }: { readonly item: Annotation }) {
  const Icon = ICONS[kind];
  return (
    <li>
      <Icon size={13} aria-hidden />
      <span>
        {path ? (
          <Link to={path} className="linked">
            {text}
          </Link>
        ) : (
          text
        )}
        <Text span size="xs" c="dimmed">
          {' '}
          {exactTime(ms)}
        </Text>
      </span>
    </li>
  );
}
