import { Status } from '../../ui/detail.tsx';
import type { AppConnection } from './scope.ts';

/** Whether the app accepted the credentials when it was last asked. */
export const CheckStatus = ({ of: { lastCheckedAt, lastCheckMessage } }: { readonly of: AppConnection }) =>
  lastCheckMessage === null ? (
    <Status
      kind={lastCheckedAt ? 'good' : undefined}
      text={lastCheckedAt ? 'Works' : 'Not checked'}
      at={lastCheckedAt}
    />
  ) : (
    <Status kind="bad" text="Rejected" at={lastCheckedAt} why={lastCheckMessage} />
  );
