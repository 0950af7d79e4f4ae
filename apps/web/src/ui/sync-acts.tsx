import { Act } from './act.tsx';

interface SyncActProps {
  readonly name: string;
  /** While something runs. */
  readonly isDisabled: boolean;
  readonly run: () => Promise<unknown>;
}

/** Starts a sync. */
export const SyncNow = ({ name, ...act }: SyncActProps) => (
  <Act label="Sync now" kind="primary" done={`The sync ${name} is started`} {...act} />
);

/** Removes at the destination what a sync has written there. */
export const RemoveWritten = ({ name, stays, ...act }: SyncActProps & { readonly stays: string }) => (
  <Act
    label="Remove what it wrote"
    done={`The removal of what ${name} wrote is started`}
    ask={{
      title: `Remove what ${name} wrote?`,
      children: <p>All that this sync has written at its destination is removed there. {stays}</p>,
    }}
    {...act}
  />
);
