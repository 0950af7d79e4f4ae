import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import styles from './dialog.module.css';
import { texts } from './texts.ts';

const FIELDS = 'input:enabled, textarea:enabled, select:enabled';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `side`: along the right edge. */
  readonly look?: 'wide' | 'side';
}

/**
 * A modal dialog, open as long as it is rendered. The browser keeps the focus in it, and Escape closes it. What is to be entered
 * has the focus first: the browser would take the button that closes it. A second Escape closes it without a `cancel` that can be
 * prevented: it opens again, and whoever renders it decides.
 */
export function Dialog({ title, onClose, children, look }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) {
      dialog.showModal();
      if (look !== 'side') dialog.querySelector<HTMLElement>(FIELDS)?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      className={classes(styles['dialog'], look && styles[look])}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (event.target !== event.currentTarget) return;
        const dialog = event.currentTarget;
        dialog.showModal();
        const above = dialog.querySelectorAll('dialog');
        if (above.length === 0) onClose();
        // Each of them decides for itself, and is above this one again.
        for (const one of above) one.close();
      }}
    >
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        <IconButton label={texts.close} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <div className={styles['body']}>{children}</div>
    </dialog>
  );
}

/** The buttons at the end of a dialog or form, the main one last. */
export const Actions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['actions']}>{children}</div>
);
