// The pages of the documentation in their order: what one learns from, how to do a task, what one looks
// up, and why it is so. The decision records follow by themselves.
import { readdirSync, readFileSync } from 'node:fs';
import { fromRoot } from '../scripts/run.mjs';

const GROUPS = [
  { title: 'Tutorials', files: ['README.md', 'docs/tutorial.md', 'docs/demo.md'] },
  {
    title: 'How-to guides',
    files: [
      'docs/running.md',
      'docs/upgrading.md',
      'docs/backing-up.md',
      'docs/scaling.md',
      'docs/brokers.md',
      'docs/notifications.md',
      'docs/notification-formats.md',
      'docs/sms.md',
      'docs/paging.md',
      'docs/maintenance.md',
      'docs/dashboards.md',
      'docs/configuration-as-code.md',
      'docs/prometheus.md',
      'docs/mcp.md',
      'docs/simulator.md',
      'client/README.md',
    ],
  },
  {
    title: 'Reference',
    files: [
      'docs/interface.md',
      'docs/errors.md',
      'docs/mqtt.md',
      'docs/live.md',
      'docs/cli.md',
      'CHANGELOG.md',
      'SUPPORT.md',
      'SECURITY.md',
    ],
  },
  {
    title: 'Explanation',
    files: [
      'docs/alarms.md',
      'ARCHITECTURE.md',
      'docs/threat-model.md',
      'docs/proof.md',
      'bench/README.md',
      'docs/design.md',
      'CONTRIBUTING.md',
    ],
  },
];

const ADR = 'docs/adr';
const LATER = /^docs\/(?!adr\/)[\w-]+\.md$/;

function addressOf(file) {
  if (file === 'README.md') return 'index.html';
  const name = file
    .replace(/^docs\//, '')
    .replace(/\/?README\.md$/, '/index.md')
    .replace(/^\//, '');
  return name.toLowerCase().replace(/\.md$/, '.html');
}

function titleOf(file, text) {
  if (file === 'README.md') return 'Introduction';
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  return title.replaceAll('`', '');
}

function pageOf(group, file) {
  const text = readFileSync(fromRoot(file), 'utf8');
  return { group, file, text, address: addressOf(file), title: titleOf(file, text) };
}

/** All pages with their group. A new file of docs is a how-to guide until it is put elsewhere. */
export function readPages() {
  const listed = new Set(GROUPS.flatMap(({ files }) => files));
  const others = readdirSync(fromRoot('docs'))
    .map((name) => `docs/${name}`)
    .filter((file) => LATER.test(file) && !listed.has(file));
  const records = readdirSync(fromRoot(ADR))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort();
  return [
    ...GROUPS.flatMap(({ title, files }) =>
      [...files, ...(title === 'How-to guides' ? others : [])].map((file) => pageOf(title, file)),
    ),
    ...['README.md', ...records].map((name) => pageOf('Decision records', `${ADR}/${name}`)),
  ];
}
