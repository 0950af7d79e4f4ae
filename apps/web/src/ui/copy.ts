import { canCopy, COPIED, copyForAMoment } from '../app/clipboard.ts';
import { toast, toastError } from './toast.tsx';

/** Copies a text for a moment, and says so. Where the browser does not let it, what to do instead. */
export function copy(text: string, name = 'It'): void {
  if (!canCopy()) return toast('Browsers forbid this over plain HTTP: select the text and copy it.');
  copyForAMoment(text).then(() => toast(`${name} is on the clipboard. ${COPIED}`), toastError);
}
