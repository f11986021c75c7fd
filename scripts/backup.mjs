// `npm run backup` and `npm run restore`: install and build when needed, then run the command.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');

if (!(await prepare())) process.exit(1);
const { runCommand } = await import('../server/dist/bundle/program.js');
process.exitCode = await runCommand(process.argv.slice(2), process.env);
