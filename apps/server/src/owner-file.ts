import { chown, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a draft of a file beside it, for its owner alone to read, and durable: whoever calls gives it its name.
 *
 * @returns The path of the draft.
 */
export async function writeOwnerDraft(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
    // What root leaves in someone's directory (`sudo npm start`) has to stay readable to its owner.
    const { uid, gid } = await stat(dirname(path));
    if (process.getuid?.() === 0 && uid !== 0) await chown(draft, uid, gid);
  } finally {
    await file.close();
  }
  return draft;
}
