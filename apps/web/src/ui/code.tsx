import { Copy } from 'lucide-react';
import { copyForAMoment } from '../app/reveal.ts';
import { IconButton } from './button.tsx';
import styles from './code.module.css';
import { toast, toastError } from './toast.tsx';

/** A text to copy: a command, a file. */
export function Code({ label, children }: { readonly label: string; readonly children: string }) {
  const copy = () => {
    copyForAMoment(children).then(() => toast('Copied, for 45 seconds.'), toastError);
  };
  return (
    <div className={styles['code']}>
      <pre tabIndex={0} aria-label={label}>
        {children}
      </pre>
      <IconButton label={`Copy: ${label}`} onClick={copy}>
        <Copy size={14} />
      </IconButton>
    </div>
  );
}
