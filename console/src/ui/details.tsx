import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly label: string;
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}

/** The fields of a record as a table of names and values. */
export function Details({ label, rows }: Props) {
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
