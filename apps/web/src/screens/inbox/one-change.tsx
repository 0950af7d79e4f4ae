import { useRevealed } from '../../app/reveal.ts';
import { classes } from '../../ui/classes.ts';
import { Badge } from '../../ui/note.tsx';
import { titleOf, valueName, type Change, type Difference } from './changes.ts';
import styles from './inbox.module.css';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const OPS = { create: [texts.new, 'good'], update: [texts.changed, 'warn'], delete: [texts.deleted, 'bad'] } as const;
const KINDS = { secret: '', folder: texts.folder, import: texts.import } as const;

/** One secret, folder or import of a request: before and after. */
export function OneChange({ change }: { readonly change: Change }) {
  const { op, kind, environment, secretPath, secretKey, differences, isFollowing } = change;
  const [word, look] = OPS[op];
  const name = secretKey ?? (kind === 'secret' ? texts.secretThatYouMayNotSee : '');
  return (
    <section className={styles['change']}>
      <h2>
        <Badge kind={look}>{word}</Badge> {KINDS[kind]} {name}
        <span className={styles['soft']}>
          {environment} {secretPath}
        </span>
        {isFollowing && <span className={styles['soft']}>{texts.followsAnotherChangeOfThisRequest}</span>}
      </h2>
      {differences.length > 0 && (
        <table className={styles['differences']} aria-label={texts.differencesOf(name)}>
          <colgroup>
            <col />
            <col />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{texts.field}</th>
              <th scope="col">{words.before}</th>
              <th scope="col">{words.after}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((difference) => (
              <tr key={difference.field}>
                <th scope="row">{titleOf(difference.field)}</th>
                <Side change={change} difference={difference} side="before" />
                <Side change={change} difference={difference} side="after" />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Side({
  change: { id, secretValueHidden },
  difference,
  side,
}: {
  readonly change: Change;
  readonly difference: Difference;
  readonly side: 'before' | 'after';
}) {
  const revealed = useRevealed(valueName(id, side));
  const text = difference[side];
  if (text === undefined) return <td className={styles['soft']}>–</td>;
  const isUnreadable = difference.field === 'secretValue' && secretValueHidden;
  return (
    <td className={classes(styles['text'], side === 'before' ? styles['gone'] : styles['new'])}>
      {isUnreadable ? texts.valueThatYouMayNotRead : ((difference.isValue ? revealed : undefined) ?? text)}
    </td>
  );
}
