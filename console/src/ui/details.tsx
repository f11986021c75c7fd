import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface Given {
  readonly label: string;
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}

/** What a record says of itself, name by name. */
export function Details({ label, rows }: Given) {
  return (
    <Table variant="vertical" layout="auto" aria-label={label}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={140}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
