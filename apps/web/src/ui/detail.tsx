import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './detail.module.css';
import { EventsLink, type Events } from './events-link.tsx';
import { Badge } from './note.tsx';
import { Card, Page } from './page.tsx';
import { Time } from './time.tsx';
import { texts } from './types.texts.ts';

interface DetailProps {
  readonly title: string;
  /** The list that it is in. */
  readonly back: {
    readonly label: string;
    readonly to: string;
    readonly params?: object;
    readonly search?: object;
  };
  readonly actions?: ReactNode;
  /** What the audit log has of it: `{ about: { syncId } }`. */
  readonly events: Events;
  readonly children: ReactNode;
}

/** The page of one thing: the way back to its list, what can be done with it, and what it is. */
export const Detail = ({
  title,
  back: { label, to, params = {}, search = {} },
  actions,
  events,
  children,
}: DetailProps) => (
  <Page
    title={title}
    lead={
      <>
        <Link to={to} params={params} search={search}>
          {label}
        </Link>
        {' · '}
        <EventsLink of={events} />
      </>
    }
    actions={actions}
  >
    {children}
  </Page>
);

/** A part of such a page. */
export const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Card>
    <h2>{title}</h2>
    {children}
  </Card>
);

/** What is known of a thing. What is absent is not shown. */
export const Facts = ({ of: facts }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles['facts']}>
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export interface State {
  /** `undefined`: nothing has happened yet. */
  readonly kind?: 'good' | 'bad' | 'warn' | undefined;
  readonly text: string;
  readonly at?: string | null | undefined;
  /** Why it failed. */
  readonly why?: string | null | undefined;
}

/** How something went, when, and why it failed. */
export const Status = ({ kind, text, at, why }: State) => (
  <>
    <span className={styles['status']}>
      <Badge kind={kind}>{text}</Badge>
      {at && <Time at={at} />}
    </span>
    {why && <span className={styles['why']}>{why}</span>}
  </>
);

export interface Type {
  readonly id: string;
  readonly name: string;
  readonly detail?: string | undefined;
  /** The variable that the operator has to set before it can be used. */
  readonly missingSetting?: string | undefined;
}

/** One of the types that there are. */
export const Types = ({
  of: types,
  onChoose,
}: {
  readonly of: readonly Type[];
  readonly onChoose: (id: string) => void;
}) => (
  <ul className={styles['types']}>
    {types.map(({ id, name, detail, missingSetting }) => (
      <li key={id}>
        <button type="button" disabled={missingSetting !== undefined} onClick={() => onChoose(id)}>
          {name}
          {missingSetting ? <small>{texts.operatorHasToSet(missingSetting)}</small> : detail && <small>{detail}</small>}
        </button>
      </li>
    ))}
  </ul>
);
