export { type Marker, WorldMap } from './world-map.tsx';
