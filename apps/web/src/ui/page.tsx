import { createContext, useEffect, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { InsecureBanner } from './insecure.tsx';
import styles from './page.module.css';
import { texts } from './texts.ts';

interface PageProps {
  readonly title: string;
  /** A sentence below the title. */
  readonly lead?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  /** As high as the window: what is long scrolls in itself. */
  readonly isFull?: boolean;
  readonly children: ReactNode;
}

/** Whether a part is in a page already. */
export const InPage = createContext(false);

/** The main part of a screen. Its title is the window's, too. */
export function Page({ title, lead, actions, isFull = false, children }: PageProps) {
  useTitle(title);
  return (
    <InPage value={true}>
      <div className={classes(styles['page'], isFull && styles['full'])}>
        <div className={styles['head']}>
          <div>
            <h1>{title}</h1>
            {lead && <p className={styles['lead']}>{lead}</p>}
          </div>
          {actions && <div className={styles['actions']}>{actions}</div>}
        </div>
        {children}
      </div>
    </InPage>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Coffer`;
  }, [title]);
}

export const Card = ({ children }: { readonly children: ReactNode }) => (
  <section className={styles['card']}>{children}</section>
);

/** A screen before signing in: one card in the middle. */
export function Narrow({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title);
  return (
    <main className={styles['narrow']}>
      <InsecureBanner />
      <div className={styles['brand']}>Coffer</div>
      <section className={styles['card']}>
        <h1>{title}</h1>
        <div className={classes(styles['body'])}>{children}</div>
      </section>
    </main>
  );
}

export const Loading = () => (
  <div className={styles['loading']} role="status">
    {texts.loading}
  </div>
);

/** Links to the parts of a screen. */
export const Tabs = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <nav className={styles['tabs']} aria-label={label}>
    {children}
  </nav>
);
