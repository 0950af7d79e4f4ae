import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { store, useStore } from '../app/store.ts';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { explain } from './error.tsx';
import styles from './toast.module.css';
import { texts } from './texts.ts';

interface Toast {
  readonly id: number;
  readonly text: ReactNode;
  readonly isBad: boolean;
}

const toasts = store<readonly Toast[]>([]);
let last = 0;
const SHOWN_MS = 6_000;
const LINK_SHOWN_MS = 30_000;

const drop = (id: number) => toasts.set(toasts.get().filter((one) => one.id !== id));

/** Tells what has been done, for a moment. */
export function toast(text: ReactNode): void {
  const id = ++last;
  toasts.set([...toasts.get(), { id, text, isBad: false }]);
  setTimeout(() => drop(id), SHOWN_MS);
}

/** Tells what has a link, long enough to follow it; following it closes it. */
export function linkToast(text: (close: () => void) => ReactNode): void {
  const id = ++last;
  const close = () => drop(id);
  toasts.set([...toasts.get(), { id, text: text(close), isBad: false }]);
  setTimeout(close, LINK_SHOWN_MS);
}

/** Tells what failed, until it is closed. */
export function toastFault(text: string): void {
  toasts.set([...toasts.get().slice(-3), { id: ++last, text, isBad: true }]);
}
export const toastError = (error: unknown): void => toastFault(explain(error));

export const Toasts = () => (
  <div className={styles['toasts']} role="status" aria-live="polite">
    {useStore(toasts).map(({ id, text, isBad }) => (
      <div key={id} className={classes(styles['toast'], isBad && styles['bad'])}>
        <span>{text}</span>
        <IconButton label={texts.dismiss} onClick={() => drop(id)}>
          <X size={14} />
        </IconButton>
      </div>
    ))}
  </div>
);
