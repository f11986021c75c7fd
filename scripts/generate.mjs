// `npm run generate`: writes the files that are derived from the contract and from other files. With `--check` it writes
// nothing and fails when one of them is out of date.
import './node-version.mjs';

const { existsSync, readFileSync, writeFileSync } = await import('node:fs');
const { readResults, resultsPage } = await import('./bench-results.mjs');
const { decisionIndex, readDecisions } = await import('./decision-index.mjs');
const { withOperationTable } = await import('./operation-table.mjs');
const { prepare } = await import('./prepare.mjs');
const { fromRoot } = await import('./run.mjs');

if (!(await prepare())) process.exit(1);
const { operations } = await import('../contract/dist/index.js');
const { openApiDocument } = await import('../contract/dist/openapi.js');

const interfacePage = readFileSync(fromRoot('docs/interface.md'), 'utf8');
const generated = {
  'docs/openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/interface.md': withOperationTable(interfacePage, Object.values(operations)),
  'bench/results/README.md': resultsPage(readResults(fromRoot('bench/results'))),
  'docs/adr/README.md': decisionIndex(readDecisions(fromRoot('docs/adr'))),
};

for (const [path, text] of Object.entries(generated)) {
  const current = existsSync(fromRoot(path)) ? readFileSync(fromRoot(path), 'utf8') : '';
  if (current === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${path} is not up to date: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  } else {
    writeFileSync(fromRoot(path), text);
    console.log(`Wrote ${path}.`);
  }
}
