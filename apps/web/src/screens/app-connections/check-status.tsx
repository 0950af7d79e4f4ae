import { Status } from '../../ui/detail.tsx';
import type { AppConnection } from './scope.ts';
import { texts } from './texts.ts';

/** Whether the app accepted the credentials when it was last asked. */
export const CheckStatus = ({ of: { lastCheckedAt, lastCheckMessage } }: { readonly of: AppConnection }) =>
  lastCheckMessage === null ? (
    <Status
      kind={lastCheckedAt ? 'good' : undefined}
      text={lastCheckedAt ? texts.works : texts.notChecked}
      at={lastCheckedAt}
    />
  ) : (
    <Status kind="bad" text={texts.rejected} at={lastCheckedAt} why={lastCheckMessage} />
  );
