import type { Outputs } from '@coffer/client';
import { useRoleName } from '../access/project-roles.ts';
import { relative } from '../../ui/time.tsx';
import { ruleText } from '../../ui/rule.ts';
import { classes } from '../../ui/classes.ts';
import styles from './who.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Actor = Outputs['access']['who']['access']['actors'][number];
export type Action = Actor['actions'][number];
type Word = NonNullable<Action['decidedBy']>;
export type Grant = Word['grant'];

const KINDS = { role: words.role, privilege: texts.privilege, 'service-token': texts.serviceToken } as const;

/** What grants are called where one is: roles by their names. */
export function useGrantText() {
  const nameOfRole = useRoleName();
  const own = ({ kind, slug }: Grant) => `${KINDS[kind]} ${kind === 'role' ? nameOfRole(slug) : slug}`;
  /** `Role Developer, by the group Operations`. */
  const grantName = (grant: Grant): string => {
    const { isByGroup, group } = grant;
    return `${own(grant)}${isByGroup ? (group ? texts.byGroup(group.name) : texts.bySomeGroup) : ''}`;
  };
  const withEnd = (name: string, { endsAt }: Grant) => `${name}${endsAt ? texts.andEnds(relative(endsAt)) : ''}`;
  return {
    grantName,
    /** The same with its end: `…, ends in 2 hours`. */
    grantText: (grant: Grant): string => withEnd(grantName(grant), grant),
    /** Without the group that it comes by. */
    ownText: (grant: Grant): string => withEnd(own(grant), grant),
  };
}

const says = ({ rule, allows }: Word): string => (rule ? ruleText(rule) : allows ? texts.allowsIt : texts.forbidsIt);

/** From whom to what: actor, group, role, rule. */
function Chain({ name, word }: { readonly name: string; readonly word: Word }) {
  const { grant } = word;
  const { ownText } = useGrantText();
  return (
    <ol className={styles['chain']}>
      <li>{name}</li>
      {grant.isByGroup && <li>{grant.group ? texts.groupName(grant.group.name) : texts.group}</li>}
      <li>{ownText(grant)}</li>
      <li className={word.allows ? styles['yes'] : styles['no']}>{says(word)}</li>
    </ol>
  );
}

/** Whether one actor may do one thing, the grant that decides it, and those that it overrides. */
export function Decision({ name, decision }: { readonly name: string; readonly decision: Action }) {
  const { subject, action, isAllowed, decidedBy, overridden } = decision;
  return (
    <section className={styles['decision']} aria-label={texts.actionOfSubject(action, subject)}>
      <h3>
        {action} <span className={styles['soft']}>{texts.ofSubject(subject)}</span>:{' '}
        {isAllowed === null ? texts.dependsOnNameOrTags : isAllowed ? texts.yes : texts.no}
      </h3>
      {decidedBy ? <Chain name={name} word={decidedBy} /> : isAllowed === false && <p>{texts.noRuleAllowsIt}</p>}
      {overridden.length > 0 && (
        <details>
          <summary>{texts.earlierRulesAreOverridden(overridden.length)}</summary>
          {overridden.map((word, index) => (
            <Chain key={`${word.grant.id} ${index}`} name={name} word={word} />
          ))}
        </details>
      )}
    </section>
  );
}

/** What is allowed, by subject: `secrets: describeSecret, readValue`. */
export function MayList({ actions }: { readonly actions: readonly Action[] }) {
  const subjects = Map.groupBy(
    actions.filter(({ isAllowed }) => isAllowed !== false),
    ({ subject }) => subject,
  );
  return (
    <ul className={styles['may']}>
      {[...subjects].map(([subject, some]) => (
        <li key={subject}>
          {subjects.size > 1 && <strong>{subject}: </strong>}
          {some.map(({ action, isAllowed }, index) => (
            <span key={action} className={classes(isAllowed === null && styles['soft'])}>
              {index > 0 && ', '}
              {action}
              {isAllowed === null && texts.dependsInBrackets}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** The grants by which something is allowed, each once. */
export const grantsOf = (actions: readonly Action[]): Grant[] => [
  ...new Map(
    actions
      .filter(({ isAllowed }) => isAllowed !== false)
      .flatMap(({ decidedBy, overridden }) => (decidedBy ? [decidedBy] : overridden))
      .filter(({ allows }) => allows)
      .map(({ grant }) => [grant.id, grant] as const),
  ).values(),
];
