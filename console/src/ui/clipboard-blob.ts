import { saveFile } from './save-file.ts';

/**
 * Copies to the clipboard where the browser allows it. Elsewhere, as on plain HTTP, it downloads a
 * file instead. Returns which of the two it did.
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
