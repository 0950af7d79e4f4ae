import { useRevealed } from '../../app/reveal.ts';
import { classes } from '../../ui/classes.ts';
import { Badge } from '../../ui/note.tsx';
import { titleOf, valueName, type Change, type Difference } from './changes.ts';
import styles from './inbox.module.css';

const OPS = { create: ['New', 'good'], update: ['Changed', 'warn'], delete: ['Deleted', 'bad'] } as const;
const KINDS = { secret: '', folder: 'folder', import: 'import' } as const;

/** One secret, folder or import of a request: before and after. */
export function OneChange({ change }: { readonly change: Change }) {
  const { op, kind, environment, secretPath, secretKey, differences, isFollowing } = change;
  const [word, look] = OPS[op];
  const name = secretKey ?? (kind === 'secret' ? 'a secret that you may not see' : '');
  return (
    <section className={styles['change']}>
      <h2>
        <Badge kind={look}>{word}</Badge> {KINDS[kind]} {name}
        <span className={styles['soft']}>
          {environment} {secretPath}
        </span>
        {isFollowing && <span className={styles['soft']}>follows another change of this request</span>}
      </h2>
      {differences.length > 0 && (
        <table className={styles['differences']} aria-label={`Differences of ${name}`}>
          <colgroup>
            <col />
            <col />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
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
      {isUnreadable ? 'a value that you may not read' : ((difference.isValue ? revealed : undefined) ?? text)}
    </td>
  );
}
