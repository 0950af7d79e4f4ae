import { useAddress } from '../../app/address.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EnvironmentPart, folderPart } from '../../ui/offered.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { isEntered } from '../../ui/schema-form/value.ts';
import { toastOutcome } from '../../ui/requested.tsx';
import type { Place } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const PARTS = {
  'import.environment': EnvironmentPart,
  'import.path': folderPart(({ import: from }) => (isEntered(from) ? from['environment'] : '')),
};

/** Another folder whose secrets are imported, read from there or copied. */
export function NewImport({ place }: { readonly place: Place }) {
  const [{ new: isOpen }, go] = useAddress();
  if (isOpen === undefined) return null;
  const close = () => go({ new: undefined });
  return (
    <Dialog title={texts.importInto(place.environment, place.path)} look="wide" onClose={close}>
      <OperationForm
        area="secretImports"
        procedure="create"
        given={place}
        initial={{ import: { path: '/' } }}
        parts={PARTS}
        affects={['secretImports', 'secrets']}
        submit={words.import}
        onCancel={close}
        onDone={(answer) => {
          toastOutcome(place.projectId, [answer], texts.imported);
          close();
        }}
      />
    </Dialog>
  );
}
