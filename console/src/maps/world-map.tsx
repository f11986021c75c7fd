import type { Severity } from '@fieldwatch/contract';
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { IconCircleCheck, IconFocusCentered, IconMinus, IconPlus } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';
import { useGestures } from './gestures.ts';
import { useLand } from './land.ts';
import {
  dragged,
  type Frame,
  pixelOf,
  pointOf,
  type View,
  viewAt,
  viewOf,
  zoomed,
} from './projection.ts';
import classes from './world-map.module.css';

export interface Marker {
  readonly id: string;
  readonly label: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The most severe active alarm there. */
  readonly severity: Severity | null;
  readonly to: string;
}

/** The initial view of a map; without it the map shows all markers. */
export interface InitialView {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

interface Props {
  readonly markers: readonly Marker[];
  readonly initialView?: InitialView | null;
}

const words = strings.locations;
const STEP = 0.6;
const KEY_STEP_PX = 80;

/** A map of bundled outlines without tiles, so it works without the internet. */
export function WorldMap({ markers, initialView = null }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const { ref: measured, width, height } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(container, measured);
  return (
    <section ref={ref} className={classes.frame} aria-label={words.map}>
      {width > 0 && height > 0 ? (
        <MapView
          container={container}
          width={width}
          height={height}
          markers={markers}
          initialView={initialView}
        />
      ) : null}
    </section>
  );
}

interface MapViewProps extends Frame {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly markers: readonly Marker[];
  readonly initialView: InitialView | null;
}

function MapView({ container, width, height, markers, initialView }: MapViewProps) {
  const land = useLand();
  const frame = useMemo(() => ({ width, height }), [width, height]);
  // Until the user moves the map, it follows its markers.
  const [selected, setSelected] = useState<View | null>(null);
  const home = useMemo(
    () =>
      initialView
        ? viewAt(pointOf(initialView.latitude, initialView.longitude), initialView.zoom, frame)
        : viewOf(
            markers.map(({ latitude, longitude }) => pointOf(latitude, longitude)),
            frame,
          ),
    [initialView, markers, frame],
  );
  const view = selected ?? home;
  const change = useCallback(
    (next: (view: View) => View) => setSelected((before) => next(before ?? home)),
    [home],
  );
  const gestures = useGestures({ container, frame, change });
  return (
    <div className={classes.sheet} {...gestures}>
      <svg
        viewBox={`${view.x} ${view.y} ${view.width} ${(view.width * height) / width}`}
        className={classes.map}
        aria-hidden
      >
        <path d={land} className={classes.land} />
      </svg>
      {markers.map((marker) => (
        <Pin key={marker.id} marker={marker} view={view} frame={frame} />
      ))}
      <Controls frame={frame} change={change} onReset={() => setSelected(null)} />
    </div>
  );
}

const NARROW_PX = 420;

/** The side on which there is room for the name beside its dot. */
function sideOf(x: number, { width }: Frame): 'left' | 'right' | 'below' {
  if (width < NARROW_PX && x > width / 4 && x < (width * 3) / 4) return 'below';
  return x > width / 2 ? 'left' : 'right';
}

function Pin({ marker, view, frame }: { marker: Marker; view: View; frame: Frame }) {
  const { label, latitude, longitude, severity, to } = marker;
  const { x, y } = pixelOf(pointOf(latitude, longitude), view, frame);
  if (x < 0 || y < 0 || x > frame.width || y > frame.height) return null;
  return (
    <Link
      to={to}
      className={classes.pin}
      data-tone={severity?.toLowerCase() ?? 'good'}
      data-side={sideOf(x, frame)}
      draggable={false}
      style={{ left: x, top: y }}
    >
      <span className={classes.dot} />
      <span className={classes.sign}>
        {severity ? (
          <SeverityBadge severity={severity} />
        ) : (
          <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
            {words.good}
          </StateBadge>
        )}
        <span className={classes.name}>{label}</span>
      </span>
    </Link>
  );
}

interface ControlProps {
  readonly frame: Frame;
  readonly change: (next: (view: View) => View) => void;
  readonly onReset: () => void;
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [KEY_STEP_PX, 0],
  ArrowRight: [-KEY_STEP_PX, 0],
  ArrowUp: [0, KEY_STEP_PX],
  ArrowDown: [0, -KEY_STEP_PX],
};

function Controls({ frame, change, onReset }: ControlProps) {
  const middle = { x: frame.width / 2, y: frame.height / 2 };
  const by = (factor: number) => () => change((view) => zoomed(view, factor, middle, frame));
  const buttons = [
    { label: words.zoomIn, icon: <IconPlus size={16} />, act: by(STEP) },
    { label: words.zoomOut, icon: <IconMinus size={16} />, act: by(1 / STEP) },
    { label: words.reset, icon: <IconFocusCentered size={16} />, act: onReset },
  ];
  return (
    <Group
      gap={4}
      className={classes.controls}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        const move = MOVES[event.key];
        if (!move) return;
        event.preventDefault();
        change((view) => dragged(view, ...move, frame));
      }}
    >
      {buttons.map(({ label, icon, act }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon variant="default" aria-label={label} onClick={act}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
