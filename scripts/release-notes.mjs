// Prints the section of a version in the changelog. Fails unless the packages have that version and the
// section has a date: `node scripts/release-notes.mjs 0.1.0`.
import { readFileSync } from 'node:fs';
import { fromRoot } from './run.mjs';

const PACKAGES = ['.', 'contract', 'client', 'server', 'simulator', 'console'];

/** The section of the version, without its heading; throws when it is missing or has no date. */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`[${version}]`));
  if (!section) throw new Error(`CHANGELOG.md has no section ## [${version}].`);
  const [heading, ...lines] = section.split('\n');
  if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading)) {
    throw new Error(`The section of ${version} needs a date: ## [${version}] - YYYY-MM-DD.`);
  }
  return lines.join('\n').trim();
}

const [version] = process.argv.slice(2);
if (import.meta.filename === process.argv[1]) {
  const others = PACKAGES.filter(
    (name) => JSON.parse(readFileSync(fromRoot(name, 'package.json'), 'utf8')).version !== version,
  );
  try {
    if (others.length > 0) throw new Error(`Not of version ${version}: ${others.join(', ')}.`);
    console.log(notesOf(readFileSync(fromRoot('CHANGELOG.md'), 'utf8'), version));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
