// The flags that `npm start` passes to Node, for servers that a benchmark starts itself.
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const START_FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));
