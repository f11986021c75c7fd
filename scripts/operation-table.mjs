// The table of all operations in docs/interface.md, generated from the contract.

const BEGIN = '<!-- The table of operations is generated: npm run generate -->';
const END = '<!-- End of the generated table -->';

/** The page with a new table; the rest of it is unchanged. */
export function withOperationTable(page, operations) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error('docs/interface.md has lost the marks of its table.');
  return `${before}${BEGIN}\n\n${tableOf(operations)}\n\n${END}${after}`;
}

function tableOf(operations) {
  const rows = operations.map(({ id, method, path, access, reply }) => [
    `\`${id}\``,
    `\`${method} ${path}\``,
    whoMayCall(access),
    reply.status,
  ]);
  return [
    '| Operation | Method and path | Who may call | Success |',
    '|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

function whoMayCall({ kind, permission }) {
  if (kind === 'anyone') return 'anyone';
  if (kind === 'share') return 'a share link';
  if (kind === 'credential') return 'any credentials';
  if (kind === 'permission') return `\`${permission}\``;
  return permission === null ? 'a user' : `a user with \`${permission}\``;
}
