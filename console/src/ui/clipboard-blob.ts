import { saveFile } from './save-file.ts';

/**
 * Puts something on the clipboard where the browser lets us; elsewhere, as on plain HTTP, it becomes
 * a file. Answers which of the two it was.
 */
export async function copyOrSave(name: string, content: Blob): Promise<'copied' | 'saved'> {
  try {
    if (!navigator.clipboard?.write) throw new Error('there is no clipboard here');
    await navigator.clipboard.write([new ClipboardItem({ [content.type]: content })]);
    return 'copied';
  } catch {
    saveFile(name, content.type, content);
    return 'saved';
  }
}
