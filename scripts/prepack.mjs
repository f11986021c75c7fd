// Runs before `npm pack` and `npm publish`: the package contains what `npm start` runs.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');

if (!(await prepare())) process.exit(1);
