import { canCopy, COPIED, copyForAMoment } from '../app/clipboard.ts';
import { taken } from './taken.ts';
import { toast, toastError } from './toast.tsx';
import { texts } from './texts.ts';

/** Copies a text for a moment, and says so. Where the browser does not let it, what to do instead. */
export function copy(text: string, name = texts.it): void {
  if (!canCopy()) return toast(texts.browsersForbidThisOver);
  copyForAMoment(text).then(() => {
    taken(text);
    toast(texts.isOnClipboard(name, COPIED));
  }, toastError);
}
