import { Button } from '@mantine/core';
import { useState } from 'react';
import { IconDownload } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { type CsvColumn, csvOf, MAX_EXPORTED_RECORDS, type ReadPage, readAll } from './csv.ts';
import { countText } from './format.ts';
import { notifyFailure, notifyProblem } from './notify.tsx';
import { saveFile } from './save-file.ts';

const words = strings.ui.csv;

interface Props<T> {
  /** The name of the file without its extension. */
  readonly name: string;
  readonly columns: readonly CsvColumn<T>[];
  readonly read: ReadPage<T>;
  /** Puts the records into the order of the list. */
  readonly arrange?: (records: readonly T[]) => readonly T[];
}

/** Saves all records that match the filters of a list, not only those of the page. */
export function CsvButton<T extends { readonly id: string }>(props: Props<T>) {
  const { name, columns, read, arrange = (records) => records } = props;
  const [progress, setProgress] = useState<string | null>(null);
  const save = async () => {
    const { records, count } = await readAll(read, (done, all) =>
      setProgress(words.progress(countText(done), countText(all))),
    );
    saveFile(`${name}.csv`, 'text/csv', csvOf(columns, arrange(records)));
    if (count > MAX_EXPORTED_RECORDS) {
      notifyProblem(words.cut(countText(MAX_EXPORTED_RECORDS), countText(count)));
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      disabled={progress !== null}
      onClick={() => {
        setProgress(words.label);
        void save()
          .catch(notifyFailure)
          .finally(() => setProgress(null));
      }}
    >
      {progress ?? words.label}
    </Button>
  );
}
