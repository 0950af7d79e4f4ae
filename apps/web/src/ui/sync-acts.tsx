import { Act } from './act.tsx';
import { texts } from './texts.ts';

interface SyncActProps {
  readonly name: string;
  /** While something runs. */
  readonly isDisabled: boolean;
  readonly run: () => Promise<unknown>;
}

/** Starts a sync. */
export const SyncNow = ({ name, ...act }: SyncActProps) => (
  <Act label={texts.syncNow} kind="primary" done={texts.syncIsStarted(name)} {...act} />
);

/** Removes at the destination what a sync has written there. */
export const RemoveWritten = ({ name, stays, ...act }: SyncActProps & { readonly stays: string }) => (
  <Act
    label={texts.removeWhatItWrote}
    done={texts.removalIsStarted(name)}
    ask={{
      title: texts.removeWhatWrote(name),
      children: <p>{texts.allThatItWroteIsRemoved(stays)}</p>,
    }}
    {...act}
  />
);
