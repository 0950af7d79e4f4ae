import type { Outputs } from '@coffer/client';
import { Time } from '../../ui/time.tsx';
import styles from './access.module.css';

type Plan = Outputs['access']['plan'];
type Change = Plan['changes'][number];

/** Who would gain or lose what, of a change that has not been made. */
export function Effect({ plan }: { readonly plan: Plan }) {
  const byActor = Map.groupBy(plan.changes, ({ actor }) => `${actor.type} ${actor.id} ${actor.name}`);
  return (
    <div className={styles['effect']} role="status" aria-label="The effect of this change">
      <p>{summary(plan)}</p>
      {[...byActor.entries()].map(([key, changes]) => (
        <section key={key}>
          <h3>
            {changes[0]!.actor.name}{' '}
            <span className={styles['soft']}>{changes[0]!.actor.type === 'identity' ? 'machine identity' : ''}</span>
          </h3>
          <ul tabIndex={0}>
            {changes.map((change, index) => (
              // A plan is shown as it is, and never reordered.
              <li key={index}>
                <Line change={change} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const Line = ({
  change: { change, subject, actions, projectName, from, until, ...place },
}: {
  readonly change: Change;
}) => (
  <>
    <span className={`${styles['sign']} ${styles[change]}`}>{change === 'gained' ? 'Gains' : 'Loses'}</span>
    {actions.join(', ')} of <strong>{subject}</strong> {placeOf(place)}
    {projectName && <span className={styles['soft']}> in {projectName}</span>}
    {from && (
      <>
        {' '}
        from <Time at={from} />
      </>
    )}
    {until && (
      <>
        {' '}
        until <Time at={until} />
      </>
    )}
  </>
);

function placeOf({
  environment,
  secretPath,
  secretName,
  conditions,
}: Pick<Change, 'environment' | 'secretPath' | 'secretName' | 'conditions'>): string {
  const place = [environment, secretPath, secretName].filter(Boolean).join(' ');
  return [place && `at ${place}`, conditions && `where ${JSON.stringify(conditions)}`].filter(Boolean).join(', ');
}

function summary({ count, hidden, isPartial, isTruncated, changes }: Plan): string {
  const rights = count === 1 ? 'One right changes.' : `${isPartial ? 'At least ' : ''}${count} rights change.`;
  return [
    count === 0 && hidden.changes === 0 ? 'Nobody gains or loses anything by this.' : rights,
    isTruncated && `The first ${changes.length} are listed.`,
    hidden.changes > 0 && `${hidden.changes} more concern people or places that you may not see.`,
  ]
    .filter(Boolean)
    .join(' ');
}
