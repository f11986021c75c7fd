#!/usr/bin/env -S node --v8-pool-size=1 --max-semi-space-size=32
// The command line of the package: `fieldwatch` alone starts the server as `npm start` does.
import '../scripts/node-version.mjs';

// So that stack traces in the log name the sources and not the bundle.
process.setSourceMapsEnabled(true);
const { runCommand } = await import('../server/dist/bundle/program.js');
const exitCode = await runCommand(process.argv.slice(2), process.env);
if (exitCode !== undefined) process.exitCode = exitCode;
