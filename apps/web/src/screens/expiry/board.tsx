import { Fragment } from 'react';
import { Part } from '../../ui/detail.tsx';
import { Empty } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './expiry.module.css';
import { EndingFacts, EndingLink, type Ending } from './kinds.tsx';
import { language } from '../../ui/language.ts';
import { texts } from './texts.ts';

const DAY = 86_400_000;

interface BoardProps {
  /** In the order of their ends. */
  readonly of: readonly Ending[];
  readonly isByDay: boolean;
  readonly projectId: string;
}

/** Columns of time: what ends in each. */
export function Board({ of: all, isByDay, projectId }: BoardProps) {
  if (all.length === 0) return <Empty>{texts.nothingThatYouMayRead}</Empty>;
  const groups = Map.groupBy(all, ({ endsAt }) => startOf(endsAt, isByDay));
  return (
    <>
      {[...groups].map(([start, endings]) => (
        <Part key={start} title={`${titleOf(start, isByDay)}: ${endings.length}`}>
          <dl className={styles['ending']}>
            {endings.map((ending) => (
              <Fragment key={ending.id}>
                <dt>
                  <EndingLink of={ending} projectId={projectId} />
                </dt>
                <dd>
                  <Time at={ending.endsAt} /> <EndingFacts of={ending} />
                </dd>
              </Fragment>
            ))}
          </dl>
        </Part>
      ))}
    </>
  );
}

/** The start of the day or week in which an instant is, as that of the browser: weeks begin on Mondays. Milliseconds. */
function startOf(instant: string, isByDay: boolean): number {
  const day = new Date(instant);
  day.setHours(0, 0, 0, 0);
  if (!isByDay) day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day.getTime();
}

const DATE = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
const SHORT = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });

const titleOf = (start: number, isByDay: boolean): string =>
  isByDay ? DATE.format(start) : texts.weekOf(SHORT.formatRange(start, start + 6 * DAY));
