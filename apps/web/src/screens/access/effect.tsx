import type { Outputs } from '@coffer/client';
import { Time } from '../../ui/time.tsx';
import styles from './access.module.css';
import { markOf } from './actor.ts';
import { texts } from './texts.ts';

type Plan = Outputs['access']['plan'];
type Change = Plan['changes'][number];

/** Who would gain or lose what, of a change that has not been made. */
export function Effect({ plan }: { readonly plan: Plan }) {
  const byActor = Map.groupBy(plan.changes, ({ actor }) => `${actor.type} ${actor.id} ${actor.name}`);
  return (
    <div className={styles['effect']} role="status" aria-label={texts.effectOfThisChange}>
      <p>{summary(plan)}</p>
      {[...byActor.entries()].map(([key, changes]) => (
        <section key={key}>
          <h3>
            {changes[0]!.actor.name}{' '}
            <span className={styles['soft']}>
              {[changes[0]!.actor.type === 'identity' && texts.machineIdentity, markOf(changes[0]!.actor)]
                .filter(Boolean)
                .join(' ')}
            </span>
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
    <span className={`${styles['sign']} ${styles[change]}`}>{change === 'gained' ? texts.gains : texts.loses}</span>
    {texts.actionsOn(actions.join(', '), <strong>{subject}</strong>, placeOf(place))}
    {projectName && <span className={styles['soft']}> {texts.inProject(projectName)}</span>}
    {from && <> {texts.from(<Time at={from} />)}</>}
    {until && <> {texts.until(<Time at={until} />)}</>}
  </>
);

function placeOf({
  environment,
  secretPath,
  secretName,
  conditions,
}: Pick<Change, 'environment' | 'secretPath' | 'secretName' | 'conditions'>): string {
  const place = [environment, secretPath, secretName].filter(Boolean).join(' ');
  return [place && texts.atPlace(place), conditions && texts.whereConditions(JSON.stringify(conditions))]
    .filter(Boolean)
    .join(', ');
}

function summary({ count, hidden, isPartial, isTruncated, changes }: Plan): string {
  const rights = isPartial ? texts.atLeastRightsChange(count) : texts.rightsChange(count);
  return [
    count === 0 && hidden.changes === 0 ? texts.nobodyGainsOrLoses : rights,
    isTruncated && texts.firstAreListed(changes.length),
    hidden.changes > 0 && texts.moreConcernPeopleOrPlaces(hidden.changes),
  ]
    .filter(Boolean)
    .join(' ');
}
