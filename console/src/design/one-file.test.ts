import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
/** A hexadecimal colour, a colour function, or a shade of a hue of Mantine's own palette. */
const COLOUR =
  /#[\da-f]{3,4}\b(?!-)|#(?:[\da-f]{6}|[\da-f]{8})\b|\b(?:rgba?|hsla?|oklch)\(|--mantine-color-(?!default|white)[a-z]+-(?:\d|filled)/gi;
const SMALL_TEXT = /font-size:\s*(?:\d|1[01])(?:\.\d+)?px/g;

/** What matches in the sources outside of this folder, with the file. */
function found(pattern: RegExp, names: RegExp): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => names.test(path) && !/^design[\\/]|\.test\.ts$/.test(path))
    .flatMap((path) =>
      [...readFileSync(`${SOURCES}/${path}`, 'utf8').matchAll(pattern)].map(
        ([match]) => `${path}: ${match}`,
      ),
    );
}

it('no file but the design system has a colour of its own', () => {
  expect(found(COLOUR, /\.(?:css|tsx?)$/)).toEqual([]);
});

it('no text is smaller than 12 px, but the mark in the dot of a map', () => {
  expect(found(SMALL_TEXT, /\.css$/)).toEqual([
    expect.stringMatching(/world-map\.module\.css: font-size: 9px/),
  ]);
});
