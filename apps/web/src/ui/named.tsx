import type { ReactNode } from 'react';
import styles from './named.module.css';
import { shortId } from './short-id.ts';

interface NamedProps {
  /** Of what may have the same name as others. */
  readonly id?: string;
  /** What tells it from them, where that is not its ID: an address, a slug. */
  readonly by?: string | undefined;
  readonly children: ReactNode;
}

/** A name, and below it what tells it from others of the same name. */
export const Named = ({ id, by = id && shortId(id), children }: NamedProps) => (
  <>
    {children}
    {by && (
      <small className={styles['by']} title={id}>
        {by}
      </small>
    )}
  </>
);
