import { describe, expect, it } from 'vitest';
import { pointOf, viewAt } from './projection.ts';
import { tilesOf } from './tiles.ts';

const TEMPLATE = 'https://tiles.example/{z}/{x}/{y}.png';
const FRAME = { width: 512, height: 256 };

describe('the tiles of a map', () => {
  it('are the known one at a place, where tile servers number them', () => {
    // Berlin at zoom 10 is on the tile 550/335 of every web map.
    const view = viewAt(pointOf(52.52, 13.405), 10, FRAME);
    const urls = tilesOf(view, FRAME, TEMPLATE).map(({ url }) => url);
    expect(urls).toContain('https://tiles.example/10/550/335.png');
  });

  it('cover the frame without gaps at any zoom, and stay few', () => {
    for (let zoom = 1; zoom <= 16; zoom += 0.37) {
      const tiles = tilesOf(viewAt(pointOf(47, 11), zoom, FRAME), FRAME, TEMPLATE);
      const right = Math.max(...tiles.map(({ left, size }) => left + size));
      const bottom = Math.max(...tiles.map(({ top, size }) => top + size));
      expect(Math.min(...tiles.map(({ left }) => left))).toBeLessThanOrEqual(1e-6);
      expect(Math.min(...tiles.map(({ top }) => top))).toBeLessThanOrEqual(1e-6);
      expect(right).toBeGreaterThanOrEqual(FRAME.width - 1e-6);
      expect(bottom).toBeGreaterThanOrEqual(FRAME.height - 1e-6);
      expect(tiles.length).toBeLessThanOrEqual(15);
    }
  });

  it('stay within the world, also where the frame is higher', () => {
    const tall = { width: 300, height: 900 };
    const tiles = tilesOf(viewAt({ x: 180, y: 180 }, 0, tall), tall, TEMPLATE);
    expect(tiles.map(({ key }) => key)).toEqual(['0/0/0']);
  });
});
