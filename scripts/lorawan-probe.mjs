// `npm run lorawan:probe`: installs and builds when needed, then runs the command.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');

if (!(await prepare())) process.exit(1);
const { runCommand } = await import('../server/dist/bundle/program.js');
process.exitCode = await runCommand(['lorawan-probe', ...process.argv.slice(2)], process.env);
