// `npm run backup` and `npm run restore`: install and build when needed, then run the command.
import './node-version.mjs';

const { prepare } = await import('./prepare.mjs');

if (!(await prepare())) process.exit(1);
const { backUp, restore } = await import('../server/dist/bundle/backup.js');

const [what, ...args] = process.argv.slice(2);
process.exitCode = await (what === 'restore' ? restore : backUp)({
  args,
  environment: process.env,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
});
