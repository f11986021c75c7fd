import { describe, expect, it } from 'vitest';
import { complaintOf, filesOf } from './first-load.mjs';

const manifest = {
  'index.html': { file: 'static/index.js', imports: ['_ui.js', '_react.js'] },
  'src/overview/index.ts': { file: 'static/overview.js', imports: ['_ui.js'] },
  'src/devices/index.ts': { file: 'static/devices.js', imports: ['_ui.js'] },
  '_ui.js': { file: 'static/ui.js', imports: ['_react.js'] },
  '_react.js': { file: 'static/react.js' },
};

describe('the first load', () => {
  it('is the entry and the first page with all they import, each file once', () => {
    expect(filesOf(manifest, ['index.html', 'src/overview/index.ts'])).toEqual([
      'static/index.js',
      'static/ui.js',
      'static/react.js',
      'static/overview.js',
    ]);
  });

  it('is unknown, and so refused, when the build has no such page', () => {
    expect(() => filesOf(manifest, ['src/attic/index.ts'])).toThrow('src/attic/index.ts');
  });

  it('may be as large as the limit and not a byte larger', () => {
    expect(complaintOf([99_999, 200_000])).toBeUndefined();
    expect(complaintOf([100_000, 200_000])).toBeUndefined();
    expect(complaintOf([100_100, 200_000])).toMatch(/300\.1 kB .* 300 kB/);
  });
});
