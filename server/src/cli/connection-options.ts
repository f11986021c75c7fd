import type { Option } from './command/index.ts';

/** Where the server is and how to be admitted; the environment has them otherwise. */
export const CONNECTION: readonly Option[] = [
  { name: '--url', value: 'url', summary: 'The server; FIELDWATCH_URL otherwise' },
  { name: '--key', value: 'id:secret', summary: 'An API key; FIELDWATCH_KEY otherwise' },
  {
    name: '--organization',
    value: 'id',
    summary: 'The organization; FIELDWATCH_ORGANIZATION_ID otherwise',
  },
];
