import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './note.module.css';
import { texts } from './texts.ts';

type Kind = 'good' | 'bad' | 'warn';

export const Note = ({ kind, children }: { readonly kind?: Kind; readonly children: ReactNode }) => (
  <div className={classes(styles['note'], kind && styles[kind])} role={kind === 'bad' ? 'alert' : undefined}>
    {children}
  </div>
);

export const Badge = ({ kind, children }: { readonly kind?: Kind | undefined; readonly children: ReactNode }) => (
  <span className={classes(styles['badge'], kind && styles[kind])}>{children}</span>
);

/** What stands where somebody lacks the right to do something. */
export const NotAllowed = ({ what, action, subject }: Record<'what' | 'action' | 'subject', string>) => (
  <Note kind="warn">{texts.youMayNot(what, <code>{action}</code>, <code>{subject}</code>)}</Note>
);

/** What stands where nothing is, and what to do about it. */
export const Empty = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['empty']}>{children}</div>
);

/** Along the top of all screens. */
export const Banner = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['banner']} role="status">
    {children}
  </div>
);
