import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { IconCircleCheck, IconFocusCentered, IconMinus, IconPlus } from '../icons/index.ts';
import { useSignInOptions } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';
import { useGestures } from './gestures.ts';
import { useLand } from './land.ts';
import {
  dragged,
  type Frame,
  type Point,
  pixelOf,
  pointOf,
  type View,
  viewAt,
  viewOf,
  zoomed,
} from './projection.ts';
import { placeSigns, type SignPlace } from './signs.ts';
import { tilesOf } from './tiles.ts';
import classes from './world-map.module.css';

export interface Marker {
  readonly id: string;
  readonly label: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The most severe active alarm there. */
  readonly severity: Severity | null;
  /** The page that the marker leads to, if any. */
  readonly to: string | null;
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

/** A map of bundled outlines, which work without the internet, and of tiles where there is a server. */
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
  const land = useLand(view.width);
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
      <Tiles view={view} frame={frame} />
      {pinsOf(markers, view, frame).map((pin) => (
        <MapPin key={pin.marker.id} {...pin} />
      ))}
      <Controls frame={frame} change={change} onReset={() => setSelected(null)} />
    </div>
  );
}

/** The pictures of the tile server, if one is set. A missing one leaves the outlines visible. */
function Tiles({ view, frame }: { view: View; frame: Frame }) {
  const tiles = useSignInOptions()?.mapTiles;
  if (!tiles) return null;
  return (
    <>
      {tilesOf(view, frame, tiles.url).map(({ key, url, left, top, size }) => (
        <img
          key={key}
          src={url}
          alt=""
          className={classes.tile}
          draggable={false}
          style={{ left, top, width: size, height: size }}
          onError={({ currentTarget }) => currentTarget.toggleAttribute('data-missing', true)}
        />
      ))}
      <span className={classes.attribution}>{tiles.attribution}</span>
    </>
  );
}

interface Pin {
  readonly marker: Marker;
  readonly at: Point;
  readonly place: SignPlace;
}

/** The width of a letter, and of icon, edges and gaps of a sign. */
const LETTER_PX = 7.5;
const AROUND_PX = 56;

function signWidth({ label, severity }: Marker): number {
  const state = severity ? strings.severities[severity] : words.good;
  return (label.length + state.length) * LETTER_PX + AROUND_PX;
}

function rankOf({ severity }: Marker): number {
  return severity === null ? -1 : SEVERITIES.indexOf(severity);
}

/** The visible markers with a place for each sign; the most severe ones come first. */
function pinsOf(markers: readonly Marker[], view: View, frame: Frame): readonly Pin[] {
  const visible = markers
    .map((marker) => ({
      marker,
      at: pixelOf(pointOf(marker.latitude, marker.longitude), view, frame),
    }))
    .filter(({ at: { x, y } }) => x >= 0 && y >= 0 && x <= frame.width && y <= frame.height)
    .toSorted((one, other) => rankOf(other.marker) - rankOf(one.marker));
  const places = placeSigns(
    visible.map(({ marker, at }) => ({ ...at, width: signWidth(marker) })),
    frame,
  );
  return visible.flatMap((pin, index) => {
    const place = places[index];
    return place ? [{ ...pin, place }] : [];
  });
}

function MapPin({ marker, at: { x, y }, place }: Pin) {
  const { label, severity, to } = marker;
  const pin = {
    className: classes.pin,
    'data-tone': severity?.toLowerCase() ?? 'good',
    'data-side': place.side,
    'data-hidden': place.isHidden || undefined,
    draggable: false,
    style: { left: x, top: y },
  };
  const content = (
    <>
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
    </>
  );
  if (to === null) return <span {...pin}>{content}</span>;
  return (
    <Link to={to} {...pin}>
      {content}
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
