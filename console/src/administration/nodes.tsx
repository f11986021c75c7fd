import type { NodeState } from '@fieldwatch/contract';
import { Alert, Box, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconDeviceDesktop,
  IconInfoCircle,
} from '../icons/index.ts';
import { type Node, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  bytesText,
  type Column,
  countText,
  Loaded,
  numberText,
  RecordTable,
  StateBadge,
  Timestamp,
  type Tone,
} from '../ui/index.ts';

const words = strings.administration.nodes;
/** The nodes report every two seconds. */
const REFRESH_MS = 2_000;
const GUIDE = 'docs/scaling.md';

/** The servers of the installation. */
export function Nodes() {
  const query = useRead('listNodes', {}, { refetchIntervalMs: REFRESH_MS });
  return (
    <Loaded query={query}>
      {({ items }) => (
        <Stack gap="md">
          {items.length === 1 ? <OneNode /> : null}
          <RecordTable
            label={strings.administration.tabs.nodes}
            columns={columns}
            records={items}
            isWide
            toneOf={({ state }) => (LOOKS[state].tone === 'critical' ? 'critical' : undefined)}
          />
          <Text size="xs" c="dimmed">
            {words.figures} {words.guide} <Code>{GUIDE}</Code>
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

function OneNode() {
  return (
    <Alert variant="light" color="blue" title={words.one} icon={<IconDeviceDesktop aria-hidden />}>
      <Text size="sm">{words.oneHint}</Text>
    </Alert>
  );
}

interface Look {
  readonly tone: Tone;
  readonly icon: ReactNode;
}

const good: Look = { tone: 'good', icon: <IconCircleCheck aria-hidden /> };
const passing: Look = { tone: 'plain', icon: <IconInfoCircle aria-hidden /> };
const warning: Look = { tone: 'medium', icon: <IconAlertTriangle aria-hidden /> };
const critical: Look = { tone: 'critical', icon: <IconAlertOctagon aria-hidden /> };

const LOOKS: Readonly<Record<NodeState, Look>> = {
  READY: good,
  STARTING: passing,
  STOPPING: passing,
  OTHER_VERSION: passing,
  CLOCK_DIFFERS: warning,
  UNREACHABLE: critical,
  SILENT: warning,
  LOST: critical,
};

/** An address fits on one line, an id on two. */
const NODE_WIDTH = 170;

const columns: readonly Column<Node>[] = [
  { head: words.node, cell: (node) => <Identity node={node} /> },
  { head: words.state, width: 200, cell: (node) => <State node={node} /> },
  {
    head: words.version,
    cell: ({ version, migration }) => (
      <Figure value={version} detail={migration === null ? null : words.migration(migration)} />
    ),
  },
  {
    head: words.started,
    cell: ({ startedDateTime }) => <Timestamp at={startedDateTime} form="relative" />,
  },
  {
    head: words.partitions,
    align: 'right',
    cell: ({ partitionCount, leaseSeconds }) => (
      <Figure
        value={countText(partitionCount)}
        // A node alone lets its lease end.
        detail={leaseSeconds > 0 ? words.lease(numberText(leaseSeconds)) : null}
      />
    ),
  },
  {
    head: words.readings,
    align: 'right',
    cell: ({ load }) => <Figure value={load && numberText(load.readingsPerSecond)} />,
  },
  {
    head: words.process,
    align: 'right',
    cell: ({ load }) => (
      <Figure
        value={load && `${numberText(Math.round(100 * load.cpuShare))} %`}
        detail={load && bytesText(load.memoryBytes)}
      />
    ),
  },
  {
    head: words.sessions,
    align: 'right',
    cell: ({ load }) => <Figure value={load && countText(load.mqttSessionCount)} />,
  },
  {
    head: words.forwarded,
    align: 'right',
    cell: ({ load }) => (
      <Figure
        value={load && numberText(load.forwardedPerSecond)}
        detail={load && words.received(numberText(load.receivedPerSecond))}
      />
    ),
  },
  {
    head: words.oldest,
    align: 'right',
    cell: ({ lag }) => (
      <Figure
        value={lag && words.seconds(numberText(lag.oldestMessageSeconds))}
        detail={lag && words.unflushed(bytesText(lag.flushBacklogBytes))}
      />
    ),
  },
];

function Identity({ node: { address, id, isAnswering } }: { node: Node }) {
  return (
    <Box miw={NODE_WIDTH}>
      {address}
      <Text size="xs" c="dimmed">
        {isAnswering ? `${words.answering} ` : null}
        {id}
      </Text>
    </Box>
  );
}

function State({ node }: { node: Node }) {
  const { state, lostDateTime, clockDeviationSeconds } = node;
  const { tone, icon } = LOOKS[state];
  return (
    <>
      <StateBadge tone={tone} icon={icon}>
        {words.states[state]}
      </StateBadge>
      {state === 'READY' ? null : (
        <Text size="xs" c="dimmed">
          {lostDateTime === null ? null : (
            <>
              <Timestamp at={lostDateTime} form="relative" />:{' '}
            </>
          )}
          {words.stateHints[state]}
          {state === 'CLOCK_DIFFERS' && clockDeviationSeconds !== null
            ? ` ${words.deviation(numberText(clockDeviationSeconds))}`
            : null}
        </Text>
      )}
    </>
  );
}

function Figure({ value, detail = null }: { value: string | null; detail?: string | null }) {
  return (
    <>
      <span style={{ whiteSpace: 'nowrap' }}>{value ?? words.unknown}</span>
      {detail === null ? null : (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {detail}
        </Text>
      )}
    </>
  );
}
