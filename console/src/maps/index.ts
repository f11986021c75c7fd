export { type Look, type Marker, WorldMap } from './world-map.tsx';
