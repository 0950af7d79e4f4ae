import { Copy } from 'lucide-react';
import { IconButton } from './button.tsx';
import styles from './code.module.css';
import { copy } from './copy.ts';
import { texts } from './texts.ts';

/** A text to copy: a command, a file. */
export function Code({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <div className={styles['code']}>
      <pre tabIndex={0} aria-label={label}>
        {children}
      </pre>
      <IconButton label={texts.copyLabel(label)} onClick={() => copy(children)}>
        <Copy size={14} />
      </IconButton>
    </div>
  );
}
