import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { strings } from '../strings/index.ts';
import { useLand } from './land.ts';
import { moved, pointOf, RATIO, type View, viewOf, zoomed } from './projection.ts';
import classes from './world-map.module.css';

export interface Marker {
  readonly id: string;
  readonly label: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly tone: 'good' | 'bad';
  readonly to: string;
}

const words = strings.locations;
const STEP = 0.6;
const PIN_PX = 12;
const KEY_STEP = 0.15;

/** A map without tiles: outlines that come with the console, so it works without the internet. */
export function WorldMap({ markers }: { markers: readonly Marker[] }) {
  const land = useLand();
  const all = useMemo(
    () => viewOf(markers.map(({ latitude, longitude }) => pointOf(latitude, longitude))),
    [markers],
  );
  const [view, setView] = useState<View>(all);
  useEffect(() => setView(all), [all]);
  const drag = useDrag(view, setView);
  const { ref, width } = useElementSize();
  const height = view.width * RATIO;
  return (
    <div ref={ref} className={classes.frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no set of fields */}
      <svg
        viewBox={`${view.x} ${view.y} ${view.width} ${height}`}
        preserveAspectRatio="xMidYMid meet"
        className={classes.map}
        role="group"
        aria-label={words.map}
        onWheel={({ deltaY }) => setView(zoomed(view, deltaY > 0 ? 1 / STEP : STEP))}
        {...drag}
      >
        <path d={land} className={classes.land} strokeWidth={view.width / 1200} />
        {markers.map((marker) => (
          <Pin key={marker.id} marker={marker} size={(view.width / (width || 600)) * PIN_PX} />
        ))}
      </svg>
      <Controls view={view} all={all} onChange={setView} />
    </div>
  );
}

/** Dragging moves the map with the pointer; arrow keys move it too. */
function useDrag(view: View, setView: (view: View) => void) {
  const from = useRef<{ x: number; y: number; view: View } | null>(null);
  return {
    onPointerDown({ clientX, clientY }: PointerEvent<SVGSVGElement>) {
      from.current = { x: clientX, y: clientY, view };
    },
    onPointerMove({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) {
      if (!from.current) return;
      const scale = from.current.view.width / currentTarget.clientWidth;
      const { x, y, view: start } = from.current;
      setView(moved(start, (x - clientX) * scale, (y - clientY) * scale));
    },
    onPointerUp() {
      from.current = null;
    },
    onPointerLeave() {
      from.current = null;
    },
  };
}

function Pin({ marker, size }: { marker: Marker; size: number }) {
  const navigate = useNavigate();
  const { x, y } = pointOf(marker.latitude, marker.longitude);
  const go = () => void navigate({ to: marker.to });
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button
    <g
      role="button"
      tabIndex={0}
      aria-label={marker.label}
      className={classes.pin}
      data-tone={marker.tone}
      onClick={go}
      onKeyDown={({ key }) => key === 'Enter' && go()}
    >
      <circle cx={x} cy={y} r={size / 2} strokeWidth={size / 6} />
      <text
        x={x}
        y={y - size * 0.8}
        fontSize={size * 1.1}
        textAnchor="middle"
        strokeWidth={size / 5}
      >
        {marker.label}
      </text>
    </g>
  );
}

interface ControlProps {
  readonly view: View;
  readonly all: View;
  readonly onChange: (view: View) => void;
}

function Controls({ view, all, onChange }: ControlProps) {
  const buttons = [
    { label: words.zoomIn, icon: <IconPlus size={16} />, next: zoomed(view, STEP) },
    { label: words.zoomOut, icon: <IconMinus size={16} />, next: zoomed(view, 1 / STEP) },
    { label: words.reset, icon: <IconFocusCentered size={16} />, next: all },
  ];
  const step = view.width * KEY_STEP;
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-step, 0],
    ArrowRight: [step, 0],
    ArrowUp: [0, -step],
    ArrowDown: [0, step],
  };
  return (
    <Group
      gap={4}
      className={classes.controls}
      onKeyDown={(event) => {
        const move = moves[event.key];
        if (!move) return;
        event.preventDefault();
        onChange(moved(view, ...move));
      }}
    >
      {buttons.map(({ label, icon, next }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon variant="default" aria-label={label} onClick={() => onChange(next)}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
