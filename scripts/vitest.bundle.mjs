// Before the tests: some start the server in a process of its own, and must not start an older build.
import { existsSync } from 'node:fs';
import { bundle } from './prepare.mjs';
import { fromRoot } from './run.mjs';

export default async function setup() {
  if (!existsSync(fromRoot('server/dist/cli/main.js'))) return;
  if (!(await bundle())) throw new Error('The server could not be bundled.');
}
