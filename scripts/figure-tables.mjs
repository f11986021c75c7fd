// Figures of a benchmark as tables. A figure has one value, or one of each system that was measured.

/** Lines of Markdown: consecutive figures with the same columns form one table. */
export function figureTables(figures) {
  const lines = [];
  let current;
  for (const { group, name, value, columns, comparison } of figures) {
    const heads = columns ? Object.keys(columns) : ['Measured'];
    const table = [group, ...heads].join('|');
    if (table !== current) lines.push(...headOf(group, heads, columns, current !== undefined));
    current = table;
    const cells = columns ? Object.values(columns) : [value];
    lines.push(rowOf([name, ...cells, comparison]));
  }
  return lines;
}

function headOf(group, heads, columns, isFollowing) {
  const last = columns ? 'Beside the best peer' : 'Compared';
  const title = group === undefined ? [] : [`${group[0].toUpperCase()}${group.slice(1)}`, ''];
  const head = `| ${rowOf([...heads, last])}`;
  const line = `|${'---|'.repeat(heads.length + 2)}`;
  return [...(isFollowing ? [''] : []), ...title, head, line];
}

const rowOf = (cells) => `| ${cells.join(' | ')} |`;
