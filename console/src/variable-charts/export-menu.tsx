import { Button, Loader, Menu } from '@mantine/core';
import { useState } from 'react';
import {
  EXPORTS,
  type ExportForm,
  endingNow,
  exportInput,
  exportName,
  type Range,
} from '../charts/index.ts';
import { IconDownload } from '../icons/index.ts';
import { nowMs } from '../runtime/index.ts';
import { useDownload, type Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { bytesText, notifyFailure, saveFile } from '../ui/index.ts';

const words = strings.charts.exports;

interface Props {
  readonly variables: readonly Variable[];
  readonly range: Range;
}

/** Exports the readings of all Variables of the chart in its range as one file. */
export function ExportMenu({ variables, range }: Props) {
  const download = useDownload();
  const [bytes, setBytes] = useState<number | null>(null);
  const run = async (form: ExportForm) => {
    setBytes(0);
    try {
      const shown = endingNow(range, nowMs());
      const input = exportInput(variables, shown, form);
      const file = await download('exportReadings', input, {
        format: form.format,
        onBytes: setBytes,
      });
      saveFile(exportName(variables, shown, form), file.type, file);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBytes(null);
    }
  };
  const isBusy = bytes !== null;
  const label = isBusy ? words.busy(bytesText(bytes)) : words.title;
  return (
    <Menu position="bottom-end" withinPortal disabled={isBusy}>
      <Menu.Target>
        <Button
          size="xs"
          px={8}
          variant="subtle"
          color="gray"
          aria-label={label}
          aria-busy={isBusy}
          title={label}
        >
          {isBusy ? <Loader size={14} /> : <IconDownload size={16} aria-hidden />}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.title}</Menu.Label>
        {EXPORTS.map((form) => (
          <Menu.Item key={form.name} onClick={() => void run(form)}>
            {words[form.name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
