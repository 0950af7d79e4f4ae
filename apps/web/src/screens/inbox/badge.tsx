import { useProjectId } from '../../app/project.ts';
import { useInboxCounts } from './counts.ts';
import styles from './inbox.module.css';
import { texts } from './badge.texts.ts';

/** How much waits, beside the name of the screen. */
export function InboxBadge() {
  const { changes = 0, access = 0 } = useInboxCounts(useProjectId());
  const count = changes + access;
  return count === 0 ? null : (
    <span className={styles['count']} aria-label={texts.numberOpen(count)}>
      {count}
    </span>
  );
}
