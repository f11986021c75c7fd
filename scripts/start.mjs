// `npm start`: installs and builds when needed, then becomes the server.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');

if (!(await prepare())) process.exit(1);
await import('../server/dist/main.js');
