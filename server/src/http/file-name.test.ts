import { expect, it } from 'vitest';
import { contentDisposition } from './file-name.ts';

it.each([
  ['Pump 1 Speed', 'filename="Pump 1 Speed.csv"; filename*=UTF-8\'\'Pump%201%20Speed.csv'],
  [
    '../../etc/passwd',
    'filename=" .. etc passwd.csv"; filename*=UTF-8\'\'%20..%20etc%20passwd.csv',
  ],
  [
    'a"; x="\r\nSet-Cookie: b',
    'filename="a ; x= Set-Cookie b.csv"; filename*=UTF-8\'\'a%20%3B%20x%3D%20Set-Cookie%20b.csv',
  ],
  ['gpj\u202Eexe', 'filename="gpj exe.csv"; filename*=UTF-8\'\'gpj%20exe.csv'],
  [
    "Käl(t)e's 50%",
    "filename=\"Ka_l(t)e's 50_.csv\"; filename*=UTF-8''K%C3%A4l%28t%29e%27s%2050%25.csv",
  ],
  ['   ', 'filename="export.csv"; filename*=UTF-8\'\'export.csv'],
])('the file name of %j is safe in a header', (name, expected) => {
  expect(contentDisposition(name, 'csv')).toBe(`attachment; ${expected}`);
});

it.each([
  [149, 149],
  [150, 150],
  [151, 150],
])('a name of %i characters is kept to %i', (length, kept) => {
  const header = contentDisposition('x'.repeat(length), 'csv');
  expect(header).toContain(`"${'x'.repeat(kept)}.csv"`);
});
